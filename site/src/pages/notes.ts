// The notes of who speaks, in a window of their own: the lesson's page tells where it stands and takes keys from here.
import { setUp } from '../common.ts';
import { fill } from '../i18n.ts';
import type { Asked, Told } from '../parts/notes.ts';

interface Notes { do: string[]; try: { n: number; lines: string[]; see: string }[] | null }

const root = document.querySelector<HTMLElement>('.speaker')!;
const words = root.dataset as Record<string, string>;
const notes = JSON.parse(words.notes!) as Record<string, Notes>;
const part = (selector: string): HTMLElement => root.querySelector<HTMLElement>(selector)!;
const channel = new BroadcastChannel('controllerscope.notes');
const say = (asked: Asked): void => channel.postMessage(asked);

function list(into: HTMLElement, items: string[]): void {
  into.replaceChildren(...items.map((text) => {
    const li = document.createElement('li');
    li.textContent = text;
    return li;
  }));
}

/** Keys that the lesson understands, so that a clicker works whichever window has the focus. */
const keys = new Set(['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', 'b', 'h', 'p', 't']);

channel.onmessage = (e: MessageEvent<Told | undefined>): void => {
  const told = e.data;
  if (!told) return;
  part('.where').textContent = fill(words.where!, { lesson: told.title, n: told.n, of: told.of });
  part('h1').textContent = told.headline;
  part('.sentence').textContent = told.sentence;
  part('.solution').hidden = !told.ask;
  part('.solution .question').textContent = told.ask?.question ?? '';
  list(part('.solution ul'), told.ask?.right ?? []);
  part('.solution').classList.toggle('open', told.ask?.open === true);
  part('.ahead').hidden = told.ahead.length === 0;
  list(part('.ahead ol'), told.ahead.map((s) => `${s.n} · ${s.title}`));
  speaker(notes[told.lesson]);
};

let shown: Notes | undefined;

/** What is said of the lesson as a whole. */
function speaker(n: Notes | undefined): void {
  if (!n || n === shown) return;
  shown = n;
  const section = part('section.do');
  section.hidden = false;
  section.querySelectorAll('p').forEach((p) => p.remove());
  section.append(...n.do.map((text) => {
    const p = document.createElement('p');
    p.textContent = text;
    return p;
  }));
  part('.tries').hidden = !n.try?.length;
  list(part('.tries ul'), (n.try ?? []).map((t) => `${fill(words.try!, { n: t.n })} ${t.lines.join(' · ')} — ${t.see}`));
}

/** The clock: seconds that were counted before, and since when it runs now. */
let counted = 0;
let since = 0;

function showTime(): void {
  const s = Math.floor((counted + (since ? performance.now() - since : 0)) / 1000);
  part('[role=timer]').textContent = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
}

function toggleTimer(): void {
  counted += since ? performance.now() - since : 0;
  since = since ? 0 : performance.now();
  part('[data-do=timer]').textContent = since ? words.stop! : words.start!;
  showTime();
}

setUp();
part('[data-do=timer]').addEventListener('click', toggleTimer);
part('[data-do=reset]').addEventListener('click', () => { counted = 0; since = since ? performance.now() : 0; showTime(); });
setInterval(showTime, 1000);
for (const b of root.querySelectorAll<HTMLButtonElement>('[data-key]')) b.addEventListener('click', () => say({ key: b.dataset.key! }));
addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || !keys.has(e.key)) return;
  say({ key: e.key });
  e.preventDefault();
});
say({ hello: true });
