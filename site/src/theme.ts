// Light, dark, or as the system has it; kept for the other pages.
const key = 'controllerscope.theme';

export function toggleTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try { localStorage.setItem(key, root.dataset.theme); } catch { /* holds for this page only */ }
}

export function recallTheme(): void {
  try {
    const kept = localStorage.getItem(key);
    if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
  } catch { /* the system's choice stays */ }
}
