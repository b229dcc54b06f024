// What every page has: the theme, the link to the other language at the same place, the service worker.
import { keepOffline } from './keep.ts';
import { recallTheme, toggleTheme } from './theme.ts';

const root = document.body.dataset;

/** A path below the site's root as an address. */
export function fromRoot(path: string): string { return (root.up ?? '') + path; }

export function setUp(): void {
  recallTheme();
  for (const b of document.querySelectorAll<HTMLButtonElement>('[data-do="theme"]')) {
    b.hidden = false;
    b.addEventListener('click', toggleTheme);
  }
  for (const b of document.querySelectorAll<HTMLButtonElement>('[data-do="print"]')) {
    b.hidden = false;
    b.addEventListener('click', () => print());
  }
  const other = document.querySelector<HTMLAnchorElement>('.top .lang');
  other?.addEventListener('click', () => { other.hash = location.hash; });
  addEventListener('keydown', (e) => {
    const menu = document.querySelector<HTMLDetailsElement>('.menu[open]');
    if (e.key !== 'Escape' || !menu) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  if (document.querySelector('a.term')) void import('./parts/terms.ts');
  keepOffline(fromRoot(''));
}
