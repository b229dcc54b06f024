// The clock jumps: hands turn and bars grow together, in the same time however far the jump is.

interface Was { widths: Map<string, number>; turns: Map<string, string> }

const bars = (): NodeListOf<HTMLElement> => document.querySelectorAll<HTMLElement>('.ages [data-bar]');

function hands(): Map<string, Element> {
  const out = new Map<string, Element>();
  for (const clock of document.querySelectorAll<HTMLElement>('.ages .clock')) {
    for (const hand of ['hour', 'minute']) {
      const el = clock.querySelector('.' + hand);
      if (el) out.set(`${clock.dataset.b} ${hand}`, el);
    }
  }
  return out;
}

/** Where bars and hands stand before the picture changes. */
export function stand(): Was {
  return { widths: new Map([...bars()].map((b) => [b.dataset.bar!, b.getBoundingClientRect().width])), turns: new Map([...hands()].map(([k, el]) => [k, el.getAttribute('transform') ?? ''])) };
}

const angle = (transform: string): number => Number(/rotate\((-?[\d.]+)/.exec(transform)?.[1] ?? 0);

/** Lets them go from there to where they stand now. */
export function warp(was: Was, duration: number): Animation[] {
  const time = { duration, easing: 'ease-in-out' };
  const out: Animation[] = [];
  for (const b of bars()) {
    const from = was.widths.get(b.dataset.bar!);
    if (from !== undefined) out.push(b.animate([{ width: `${from}px` }, { width: `${b.getBoundingClientRect().width}px` }], time));
  }
  for (const [name, el] of hands()) {
    const from = was.turns.get(name);
    if (from === undefined) continue;
    const [a, z] = [angle(from), angle(el.getAttribute('transform') ?? '')];
    const back = z - a + (z < a ? 360 : 0);
    out.push(el.animate([{ transform: `rotate(${-back}deg)`, transformOrigin: '36px 36px', transformBox: 'view-box' }, { transform: 'rotate(0)', transformOrigin: '36px 36px', transformBox: 'view-box' }], { ...time, composite: 'add' }));
  }
  return out;
}
