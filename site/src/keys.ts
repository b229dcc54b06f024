// The keyboard. Single letters are ignored in text fields and beside Ctrl, Alt or Meta.
import { openWhatif } from './parts/transport.ts';
import { chartsOpen } from './parts/charts.ts';
import { halt, togglePlay } from './play.ts';
import { toggleTheme } from './theme.ts';
import { asked, chartsPinned, compare, first, last, move, pane, scene, select, sheet } from './state.ts';

const next = new Set(['ArrowRight', 'PageDown']);
const back = new Set(['ArrowLeft', 'PageUp']);

export function onKey(e: KeyboardEvent): void {
  const el = e.target as HTMLElement;
  const field = el instanceof HTMLInputElement ? el.type !== 'radio' && el.type !== 'range' : el instanceof HTMLTextAreaElement;
  if (e.key === 'Escape') { escape(); return; }
  if (field || e.altKey || e.metaKey) return;
  if (el instanceof HTMLInputElement && (el.type === 'radio' || el.type === 'range') && e.key.startsWith('Arrow')) return;
  if (next.has(e.key) || back.has(e.key)) {
    const by = next.has(e.key) ? 1 : -1;
    if (by > 0 && asked.value) return;
    halt();
    move(by, e.shiftKey ? 'micro' : e.ctrlKey ? 'act' : undefined);
  } else if (e.ctrlKey) return;
  else if (e.key === 'Home') { halt(); first(); }
  else if (e.key === 'End') { halt(); last(); }
  else if ((e.key === ' ' && !(el instanceof HTMLButtonElement)) || e.key === 'k') togglePlay();
  else if (e.key === 'ArrowUp' || e.key === 'ArrowDown') { if (!roam(el, e.key === 'ArrowDown' ? 1 : -1)) return; }
  else if (e.key === 'w' || e.key === 'W') askWhy();
  else if (e.key === 'f' || e.key === 'F') openWhatif();
  else if (e.key === 'c' || e.key === 'C') { const s = scene.value; if (s) chartsPinned.value = !chartsOpen(s); }
  else if (e.key === 'd' || e.key === 'D') toggleTheme();
  else if (e.key === 'm' || e.key === 'M') document.documentElement.toggleAttribute('data-still');
  else if (e.key === 'l' || e.key === 'L') sheet.value = sheet.value === 'menu' ? 'none' : 'menu';
  else if (e.key === '?') sheet.value = sheet.value === 'help' ? 'none' : 'help';
  else return;
  e.preventDefault();
}

function escape(): void {
  if (sheet.value !== 'none') sheet.value = 'none';
  else if (compare.value) compare.value = false;
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
  const d = scene.value?.step?.diff?.find((x) => x.path[0] !== 'view');
  if (d) select(d.path, 'why');
  else pane.value = 'why';
}
