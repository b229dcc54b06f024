// Asks the browser to keep the site for times without a network.

const policy = (globalThis as unknown as { trustedTypes?: { createPolicy(n: string, r: object): { createScriptURL(u: string): string } } })
  .trustedTypes?.createPolicy('keep', { createScriptURL: (u: string) => u });

/** Registers the service worker when the page has all it needs; a browser that refuses goes on without one. */
export function keepOffline(root: string): void {
  if (!('serviceWorker' in navigator)) return;
  const scope = new URL(root || './', location.href).href;
  const url = new URL('offline.js', scope).href;
  const register = (): void => {
    navigator.serviceWorker.register(policy?.createScriptURL(url) ?? url, { scope }).catch(() => { /* the site works without */ });
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
