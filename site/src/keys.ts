// The keyboard. Single letters are ignored in text fields and beside Ctrl, Alt or Meta.
import { chartsOpen } from './parts/charts.ts';
import { t } from './i18n.ts';
import { share } from './link.ts';
import { faster, halt, slower, togglePlay } from './play.ts';
import { toggleTheme } from './theme.ts';
import { asked, blank, chartsPinned, compare, first, gotoStop, last, lesson, move, notice, openPane, pane, projector, scene, select, sheet, spacetime, stops, veiled } from './state.ts';

const next = new Set(['ArrowRight', 'PageDown']);
const back = new Set(['ArrowLeft', 'PageUp']);

/** The number that is being typed after G. */
let typed: string | undefined;

export function onKey(e: KeyboardEvent): void {
  const el = e.target as HTMLElement;
  if (blank.value) { blank.value = false; e.preventDefault(); return; }
  const field = el instanceof HTMLInputElement ? el.type !== 'radio' && el.type !== 'range' : el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement;
  if (e.key === 'Escape') { escape(); return; }
  if (field || e.altKey || e.metaKey) return;
  if (el instanceof HTMLInputElement && (el.type === 'radio' || el.type === 'range') && (e.key === ' ' || e.key.startsWith('Arrow') || el.closest('.skew'))) return;
  if (next.has(e.key) || back.has(e.key)) {
    const by = next.has(e.key) ? 1 : -1;
    if (by > 0 && asked.value) return;
    halt();
    move(by, e.shiftKey ? 'micro' : e.ctrlKey ? 'act' : undefined);
  } else if (e.ctrlKey) return;
  else if (e.key === 'Home') { halt(); first(); }
  else if (e.key === 'End') { halt(); last(); }
  else if ((e.key === ' ' && !(el instanceof HTMLButtonElement) && el.tagName !== 'SUMMARY') || e.key === 'k') togglePlay();
  else if (e.key === 'ArrowUp' || e.key === 'ArrowDown') { if (!roam(el, e.key === 'ArrowDown' ? 1 : -1)) return; }
  else if (added[e.key]) added[e.key]!();
  else if (!number(e.key) && !letter(e.key.toLowerCase())) return;
  e.preventDefault();
}

const letters: Record<string, () => void> = {
  w: askWhy,
  f: () => { openPane('whatif'); },
  c: () => { const s = scene.value; if (s) chartsPinned.value = !chartsOpen(s); },
  d: toggleTheme,
  m: () => { document.documentElement.toggleAttribute('data-still'); },
  l: () => { sheet.value = sheet.value === 'menu' ? 'none' : 'menu'; },
  s: share,
  g: () => { typed = ''; notice.value = t('gotoStop', { n: '…' }); },
  ',': slower,
  '.': faster,
  '?': () => { sheet.value = sheet.value === 'help' ? 'none' : 'help'; },
};

/** What a page adds to the keys of all. */
export const added: Record<string, () => void> = {};

/** What only a lesson has: full screens and what is kept back. */
const ofLessons: Record<string, () => void> = {
  t: () => { spacetime.value = !spacetime.value; },
  p: () => { projector.value = !projector.value; },
  b: () => { blank.value = true; },
  h: () => { veiled.value = !veiled.value; },
  z: () => { document.querySelector<HTMLElement>('.turn [aria-keyshortcuts]')?.click(); },
};

function letter(key: string): boolean {
  const what = letters[key] ?? (lesson.value ? ofLessons[key] : undefined);
  what?.();
  return what !== undefined;
}

/** Digits: the number of a stop after G, else that of an act. */
function number(key: string): boolean {
  if (typed !== undefined) {
    if (/^\d$/.test(key)) {
      typed += key;
      notice.value = t('gotoStop', { n: typed });
      return true;
    }
    const n = Number(typed);
    typed = undefined;
    notice.value = '';
    if (key !== 'Enter') return false;
    if (n >= 1 && n <= stops.value.length) { halt(); gotoStop(n - 1); }
    return true;
  }
  if (!/^[1-9]$/.test(key)) return false;
  const i = stops.value.findIndex((s) => s.act === Number(key) - 1);
  if (i >= 0) { halt(); gotoStop(i); }
  return i >= 0;
}

function escape(): void {
  typed = undefined;
  if (sheet.value !== 'none') sheet.value = 'none';
  else if (spacetime.value) spacetime.value = false;
  else if (compare.value) compare.value = false;
  else if (projector.value) projector.value = false;
  else if (pane.value === 'whatif') pane.value = 'why';
}

/** Up and down move among the values of the ledger. */
function roam(from: HTMLElement, by: 1 | -1): boolean {
  const table = from.closest('.ledger');
  if (!table) return false;
  const all = [...table.querySelectorAll<HTMLElement>('button.val')];
  const i = all.indexOf(from);
  all[i < 0 ? 0 : Math.max(0, Math.min(all.length - 1, i + by))]?.focus();
  return true;
}

/** Why? of the focused value, else of what this step changed. */
function askWhy(): void {
  const el = document.activeElement;
  if (el instanceof HTMLButtonElement && el.classList.contains('val')) { el.click(); return; }
  const d = scene.value?.step?.diff?.find((x) => x.path[0] !== 'view' && x.path[0] !== 'zxid');
  if (d) select(d.path, 'why');
  else pane.value = 'why';
}
