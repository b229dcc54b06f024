// Cards on znodes and terms of the stage: what one is, while it is pointed at or has the focus. A card can be pointed at
// itself, stays until it is left, and goes with Esc (WCAG 1.4.13). Touch has none: what is touched opens the inspector.
import { onDrawn } from '../dom.ts';
import { root, text } from '../frame.ts';

interface Cards { terms: Record<string, { name: string; text: string }>; znodes: { path: string; text: string }[] }

/** What has a card, by selector: the first that fits counts. A line of the ledger has the znode's. */
const hosts: [selector: string, term: string][] = [['.bell.blind', 'lost-watch'], ['.bell', 'watch'], ['.eph', 'ephemeral'], ['.row .v', 'version'], ['.zxid', 'zxid'], ['.office', 'controller-epoch'], ['.t-zk', 'znode'], ['.t-ctl', 'context'],
  ['.t-req', 'leader-and-isr'], ['.t-br', 'broker'], ['.sessions .meta', 'session'], ['.queue > span:first-child', 'event-queue'], ['.tcard .head', 'event-thread'], ['.i.star', 'leader'], ['.i.shield', 'fencing']];
/** What is no button and yet reached by Tab. */
const stops = '.t-zk, .t-ctl, .t-req, .t-br, .sessions .meta, .queue > span:first-child';

/** Until a card is shown: the pointer has rested, the focus has come to rest; and until it goes after it was left. */
const delay = 350;
const rest = 700;
const grace = 250;

let cards: Cards | undefined;
let timer = 0;
let host: Element | undefined;
const card = document.createElement('div');
card.id = 'card';
card.className = 'tip';
card.setAttribute('role', 'tooltip');

function matches(pattern: string, path: string): boolean {
  const [a, b] = [pattern.split('/'), path.split('/')];
  return a.length === b.length && a.every((word, i) => word === '*' || word === b[i]);
}

/** What stands on the card of an element: pairs of a name and a text. */
function contents(el: Element): [string, string][] {
  const term = (id: string): [string, string][] => { const t = cards?.terms[id]; return t ? [[t.name, t.text]] : []; };
  const own = hosts.find(([selector]) => el.matches(selector));
  if (own) return term(own[1]);
  const row = el.closest<HTMLElement>('.row[data-path]');
  const path = row?.dataset.path ?? '';
  const z = cards?.znodes.find((x) => matches(x.path, path));
  if (!row || !z) return [];
  return [[path, z.text], ...(row.querySelector('.eph') ? term('ephemeral') : []), ...(row.querySelector('.bell.blind') ? term('lost-watch') : row.querySelector('.bell') ? term('watch') : [])];
}

/** The element with a card that holds another one. */
function hostOf(target: EventTarget | null): Element | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest([...hosts.map(([s]) => s), '.row[data-path] .name', '.row[data-path] .val'].join(', ')) ?? undefined;
}

function show(el: Element): void {
  const all = contents(el);
  if (all.length === 0) return;
  hide();
  host = el;
  card.replaceChildren(...all.flatMap(([name, what]) => {
    const [b, p] = [document.createElement('b'), document.createElement('p')];
    b.textContent = name;
    p.textContent = what;
    return [b, p];
  }));
  document.body.append(card);
  el.setAttribute('aria-describedby', card.id);
  const [at, own] = [el.getBoundingClientRect(), card.getBoundingClientRect()];
  const below = at.bottom + own.height + 8 < innerHeight;
  card.style.setProperty('--x', `${Math.max(8, Math.min(at.left, innerWidth - own.width - 8))}px`);
  card.style.setProperty('--y', `${Math.max(8, below ? at.bottom + 4 : at.top - own.height - 4)}px`);
}

function hide(): void {
  clearTimeout(timer);
  host?.removeAttribute('aria-describedby');
  host = undefined;
  card.remove();
}

function later(ms: number, what: () => void): void {
  clearTimeout(timer);
  timer = window.setTimeout(what, ms);
}

function over(e: PointerEvent): void {
  if (e.pointerType !== 'mouse') return;
  if (e.target instanceof Node && card.contains(e.target)) { clearTimeout(timer); return; }
  const el = hostOf(e.target);
  if (el && el === host) clearTimeout(timer);
  else if (el) later(delay, () => show(el));
  else later(host ? grace : 0, hide);
}

function focused(e: FocusEvent): void {
  const el = e.target instanceof Element && e.target.matches(':focus-visible') ? hostOf(e.target) : undefined;
  hide();
  if (el) later(rest, () => show(el));
}

/** Esc takes the card away and does nothing else. */
function escape(e: KeyboardEvent): void {
  if (e.key !== 'Escape' || !host) return;
  hide();
  e.stopPropagation();
}

/** Begins with the first picture: the texts come when the first card is asked for. */
export function begin(): void {
  const wanted = (): void => {
    removeEventListener('pointermove', wanted);
    removeEventListener('keydown', wanted);
    text(root.dataset.cards!).then((x) => { cards = JSON.parse(x) as Cards; }, () => { /* without them there are no cards */ });
  };
  addEventListener('pointermove', wanted);
  addEventListener('keydown', wanted);
  document.addEventListener('pointerover', over);
  document.addEventListener('focusin', focused);
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', escape, true);
  document.addEventListener('pointerdown', hide);
  onDrawn.push(() => {
    root.querySelectorAll(stops).forEach((el) => { if (!el.hasAttribute('tabindex')) el.setAttribute('tabindex', '0'); });
    if (host && !host.isConnected) hide();
  });
}
