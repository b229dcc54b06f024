// Links and memory: the place in the address, answers in this browser.
import { t } from './i18n.ts';
import { isRight } from './lesson.ts';
import { leaveAt } from './progress.ts';
import { answers, asked, at, fork, goto, gotoStop, lesson, notice, rec, run, stopIndex, stops, sure, veiled } from './state.ts';

/** How the page was opened: inside another one, or with the answers hidden (h=1). Then what this reader answered before is set aside. */
export const embedded = new URLSearchParams(location.search).get('embed') === '1';
const hiding = new URLSearchParams(location.hash.slice(1)).get('h') === '1';

/** The address of what is shown: stop, or step, and the hash of the document there. */
export function place(): string {
  const s = stops.value[stopIndex.value];
  const here = rec.value?.step(at.value);
  const where = s && s.at === at.value && s.run === run.value ? `s=${s.n}` : `r=${run.value}&i=${at.value}`;
  return `#${where}${here ? '&c=' + here.hash.slice(0, 8) : ''}${hiding ? '&h=1' : ''}`;
}

/** Keeps the address at the cursor, without a history entry for every step. */
export function follow(): void {
  if (!fork.value) history.replaceState(null, '', place());
}

/** Goes where the address says; a stale or wrong link is said, and the page goes on. */
export function openPlace(hash: string): boolean {
  const p = new URLSearchParams(hash.replace(/^#/, ''));
  const n = Number(p.get('s'));
  if (p.has('s')) {
    if (!Number.isInteger(n) || n < 1 || n > stops.value.length) { notice.value = t('badLink'); return false; }
    gotoStop(n - 1);
  } else if (p.has('i')) {
    run.value = Math.max(0, Math.min(Number(p.get('r')) || 0, (lesson.value?.runs.length ?? 1) - 1));
    goto(Number(p.get('i')) || 0);
  } else return false;
  const want = p.get('c');
  const have = rec.value?.step(at.value)?.hash.slice(0, 8);
  if (want && have && want !== have && !asked.value) notice.value = t('hashDiffers', { want, have });
  return true;
}

let shareOf: (() => void) | undefined;

/** Says what S and Share do on this page. */
export function shareAs(go: () => void): void { shareOf = go; }

/** Opens the dialog of Share, or what the page has in its place. */
export function share(): void { shareOf?.(); }

/** Remembers where the lesson was left, for the pages that lead back. */
export function keepPlace(): void {
  const l = lesson.value;
  if (!l || fork.value || stopIndex.value < 0 || hiding || embedded) return;
  const given = stops.value.filter((s) => s.ask && answers.value[s.id]);
  const right = given.filter((s) => isRight(s.ask!, answers.value[s.id]!)).length;
  leaveAt(l.id, { n: stopIndex.value + 1, of: stops.value.length, right, wrong: given.length - right });
}

const store = 'controllerscope.answers.';
const certain = 'controllerscope.sure.';

export function remember(): void {
  const l = lesson.value;
  if (!l || hiding || embedded) return;
  try {
    localStorage.setItem(store + l.id, JSON.stringify(Object.fromEntries(Object.entries(answers.value).filter(([id]) => !id.includes('~'))))); // those asked again are not kept
    if (sure.value.length > 0) localStorage.setItem(certain + l.id, JSON.stringify(sure.value));
  } catch {
    if (Object.keys(answers.value).length > 0) notice.value = t('storage');
  }
}

export function recall(id: string): void {
  veiled.value = hiding;
  if (hiding || embedded) return;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(store + id) ?? '{}');
    const firm: unknown = JSON.parse(localStorage.getItem(certain + id) ?? '[]');
    if (Array.isArray(firm)) sure.value = firm.filter((x) => typeof x === 'string');
    if (typeof kept === 'object' && kept !== null) answers.value = Object.fromEntries(Object.entries(kept).filter(([, v]) => typeof v === 'string')) as Record<string, string>;
  } catch { /* no memory: the questions are simply open again */ }
}
