// The service worker: keeps every file of the site, so that lessons play without a network.
//
// site/build writes the version before this text, and the list beside it: addresses relative to it. Names below a/ carry a hash of
// their content, so what is kept under such a name is right for ever and is taken without asking. Pages are asked for anew
// and come from the cache only when there is no network. A new list makes a new cache: it takes over what has not changed,
// fetches the rest, and replaces the old one when no page of the old site is open any more.

declare const version: string;

interface Extendable extends Event { waitUntil(p: Promise<unknown>): void }
interface Fetch extends Extendable { readonly request: Request; respondWith(p: Promise<Response>): void }
interface Worker {
  clients: { claim(): Promise<void> };
  addEventListener(kind: 'install' | 'activate', f: (e: Extendable) => void): void;
  addEventListener(kind: 'fetch', f: (e: Fetch) => void): void;
}
const worker = globalThis as unknown as Worker;

const prefix = 'controllerscope ';
const scope = new URL('./', location.href).href;
const cacheName = prefix + scope + ' ' + version;
const hashed = scope + 'a/';

async function ask(url: string): Promise<Response> {
  const answer = await fetch(url, { cache: url.startsWith(hashed) ? 'default' : 'no-cache' });
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`);
  return answer;
}

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  const files = await (await ask(scope + 'offline.json')).json() as string[];
  for (const f of files) {
    const url = new URL(f, scope).href;
    const kept = url.startsWith(hashed) ? await caches.match(url) : undefined;
    await cache.put(url, kept ?? await ask(url));
  }
}

async function dropOld(): Promise<void> {
  const mine = (await caches.keys()).filter((k) => k.startsWith(prefix + scope + ' ') && k !== cacheName);
  await Promise.all(mine.map((k) => caches.delete(k)));
  await worker.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  if (request.url.startsWith(hashed)) return await cache.match(request) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (e) {
    const kept = await cache.match(request.url.replace(/index\.html$/, ''), { ignoreSearch: true });
    if (kept) return kept;
    throw e;
  }
}

worker.addEventListener('install', (e) => e.waitUntil(install()));
worker.addEventListener('activate', (e) => e.waitUntil(dropOld()));
worker.addEventListener('fetch', (e) => {
  if (e.request.method === 'GET' && e.request.url.startsWith(scope)) e.respondWith(answer(e.request));
});
export {};
