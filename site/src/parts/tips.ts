// Cards: what something is, while it is pointed at or has the focus. A card can be pointed at itself, stays until it is left,
// and goes with Esc (WCAG 1.4.13). Touch has none.

/** What cards say: of the glossary's terms, with the words that lead to them from prose, and of znodes; * stands for one name. */
export interface Cards { terms: Record<string, { name: string; text: string; said?: string[] }>; znodes: { path: string; text: string }[] }

/** Until a card is shown: the pointer has rested, the focus has come to rest; and until it goes after it was left. */
const delay = 350;
const rest = 700;
const grace = 250;

let selectors = '';
/** What stands on the card of an element: pairs of a name and a text. */
let contents: (el: Element) => [string, string][];
let timer = 0;
let host: Element | undefined;
/** What the card says, as text. */
let said = '';
const card = document.createElement('div');
card.id = 'card';
card.className = 'tip';
card.setAttribute('role', 'tooltip');

/** The element with a card that holds another one. */
function hostOf(target: EventTarget | null): Element | undefined { return target instanceof Element ? target.closest(selectors) ?? undefined : undefined; }

function show(el: Element): void {
  const all = contents(el);
  if (all.length === 0) return;
  hide();
  host = el;
  said = String(all);
  card.replaceChildren(...all.flatMap(([name, what]) => {
    const [b, p] = [document.createElement('b'), document.createElement('p')];
    b.textContent = name;
    p.textContent = what;
    return [b, p];
  }));
  (el.closest('main, aside, nav, header') ?? document.body).append(card); // text belongs into a landmark
  el.setAttribute('aria-describedby', card.id);
  const [at, own] = [el.getBoundingClientRect(), card.getBoundingClientRect()];
  const zoom = own.width / card.offsetWidth; // of the projector
  const below = at.bottom + own.height + 8 < innerHeight;
  card.style.setProperty('--x', `${Math.max(8, Math.min(at.left, innerWidth - own.width - 8)) / zoom}px`);
  card.style.setProperty('--y', `${Math.max(8, below ? at.bottom + 4 : at.top - own.height - 4) / zoom}px`);
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

/** The card of a link to the glossary. */
export function ofTerm(el: Element, cards: Cards): [string, string][] {
  const t = cards.terms[(el as HTMLAnchorElement).hash.slice(1)];
  return t ? [[t.name, t.text]] : [];
}

/** Takes the card away when its element has gone, or is about something else now. */
export function tidy(): void { if (host && (!host.isConnected || String(contents(host)) !== said)) hide(); }

/** Begins to show cards on elements that some selectors find. */
export function begin(on: string, of: (el: Element) => [string, string][]): void {
  selectors = on;
  contents = of;
  document.addEventListener('pointerover', over);
  document.addEventListener('focusin', focused);
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', escape, true);
  document.addEventListener('pointerdown', hide);
}
