// How a motion looks: an overlay node gets its place, its text and its key frames.
import type { Move } from './moves.ts';
import { type Box, boxOf, find, nowhere, type Place } from './places.ts';

/** A motion with its node; from and old are where and what it was before the picture changed. */
export interface Acted { el: HTMLElement; move: Move; from: Box | undefined; old: string; ms: number; delay: number; dwell: number }

function put(el: HTMLElement, b: Box, cls: string, text: string): void {
  el.className = 'm-' + cls;
  el.textContent = text;
  el.style.left = `${b.x}px`;
  el.style.top = `${b.y}px`;
  if (b.w > 0) {
    el.style.width = `${b.w}px`;
    el.style.height = `${b.h}px`;
  }
}

const middle = (b: Box): Box => ({ x: b.x + b.w / 2, y: b.y + b.h / 2, w: 0, h: 0 });
const at = (dx: number, dy: number, scale = 1): string => `translate(-50%, -50%) translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px) scale(${scale})`;

/** From one place to another; there and back, or back after a third of the way. */
function travels(a: Acted, from: Box, to: Box): Animation {
  const [p, q] = [middle(from), middle(to)];
  put(a.el, p, a.move.look, a.move.text ?? '');
  const [dx, dy] = [q.x - p.x, q.y - p.y];
  const frames: Keyframe[] = a.move.way === 'back' ? [{ transform: at(0, 0) }, { transform: at(dx, dy, 1.3) }, { transform: at(0, 0) }]
    : [{ transform: at(0, 0) }, { transform: at(dx, dy), offset: 0.94 }, { transform: at(dx, dy), opacity: 0 }];
  return a.el.animate(frames, { duration: a.ms, delay: a.delay, easing: a.move.easing, fill: 'backwards' });
}

/** Along an edge of a chart: the path itself says where. */
function along(a: Acted, path: SVGPathElement): Animation | undefined {
  const m = path.getScreenCTM();
  if (!m) return undefined;
  const end = path.getTotalLength() * (a.move.way === 'refused' ? 0.3 : 1);
  const points = Array.from({ length: 13 }, (_, i) => path.getPointAtLength(end * i / 12).matrixTransform(m));
  const first = points[0]!;
  put(a.el, { x: first.x, y: first.y, w: 0, h: 0 }, 'token', a.move.text ?? '');
  const frames = points.map((p) => ({ transform: at(p.x - first.x, p.y - first.y) }));
  if (a.move.way === 'refused') {
    a.el.textContent += ' ✕';
    frames.push(...[...frames].reverse());
  }
  return a.el.animate(frames, { duration: a.ms, delay: a.delay, easing: a.move.easing, fill: 'backwards' });
}

/** The rows of one transaction, from the first to the last that is shown. */
function span(paths: readonly string[]): Box | undefined {
  const boxes = paths.map((p) => boxOf(find(['row', p]))).filter((b): b is Box => b !== undefined);
  if (boxes.length === 0) return undefined;
  const top = Math.min(...boxes.map((b) => b.y));
  return { x: Math.min(...boxes.map((b) => b.x)) - 8, y: top, w: 8, h: Math.max(...boxes.map((b) => b.y + b.h)) - top };
}

const grown: Keyframe[] = [{ transform: 'scaleY(0)' }, { transform: 'scaleY(1)' }];
const inPlace: Partial<Record<Move['look'], Keyframe[]>> = {
  ring: [{ opacity: 0, transform: 'scale(1.04)' }, { opacity: 1 }, { opacity: 1 }, { opacity: 0 }],
  grow: [{ opacity: 1, transform: 'scaleY(0)' }, { opacity: 1, transform: 'scaleY(1)' }],
  flip: [{ opacity: 1, transform: 'rotateX(0)' }, { opacity: 1, transform: 'rotateX(90deg)' }],
  pop: [{ transform: 'scale(.4)', opacity: 0 }, { transform: 'scale(1.15)', opacity: 1, offset: 0.6 }, { transform: 'scale(1)', opacity: 0 }],
  drop: [{ transform: 'translateY(-18px)', opacity: 0 }, { transform: 'none', opacity: 1 }],
  out: [{ transform: 'none', opacity: 1 }, { transform: 'translateX(56px)', opacity: 0 }],
  error: [{ opacity: 0 }, { opacity: 1 }],
  stub: [{ transform: 'scaleX(0)' }, { transform: 'scaleX(1)' }],
  clock: [{ transform: 'rotate(0)' }, { transform: 'rotate(360deg)' }],
};

/** What stays to be read after it has happened: a struck ghost, the code of an error. */
const lingers = 600;

function happens(a: Acted, b: Box): Animation {
  const { look, easing } = a.move;
  const text = look === 'error' ? a.move.text ?? '' : look === 'ghost' || look === 'flip' || look === 'out' ? a.old : '';
  put(a.el, b, look, text);
  if (look === 'ghost' || look === 'error') {
    const all = a.ms + lingers;
    const frames = look === 'ghost' ? [{ opacity: 1 }, { opacity: 0.75, offset: a.ms / all }, { opacity: 0 }] : [{ opacity: 0 }, { opacity: 1, offset: a.ms / all }, { opacity: 1 }];
    return a.el.animate(frames, { duration: all, delay: a.delay, easing, fill: 'backwards' });
  }
  return a.el.animate(inPlace[look] ?? inPlace.ring!, { duration: a.ms, delay: a.delay, easing, fill: 'backwards' });
}

/** Starts a motion; nothing when what it is about is not on the page. */
export function act(a: Acted): Animation | undefined {
  const m = a.move;
  if (m.from && m.to) {
    const from = a.from ?? boxOf(find(m.from));
    const to = boxOf(find(m.to));
    return from && to ? travels(a, from, to) : undefined;
  }
  const place = m.at ?? nowhere;
  if (place[0] === 'edge') {
    const path = find(place);
    return path instanceof SVGPathElement ? along(a, path) : undefined;
  }
  if (place[0] === 'rows') {
    const b = span(place.slice(1));
    if (!b) return undefined;
    put(a.el, b, 'bracket', '');
    return a.el.animate(m.way ? [...grown].reverse() : grown, { duration: a.ms, delay: a.delay, easing: m.easing, fill: 'backwards' });
  }
  const was = m.look === 'ghost' || m.look === 'out';
  const b = (was ? a.from : undefined) ?? boxOf(find(place)) ?? a.from;
  return b ? happens(a, b) : undefined;
}

function badge(a: Acted, place: Place): Box | undefined { return boxOf(find(place)) ?? a.from; }

/** The same without any motion: the two ends numbered, or what changed outlined, for as long as one reads. */
export function still(a: Acted): Animation | undefined {
  const m = a.move;
  const time = { duration: a.dwell };
  const hold = [{ opacity: 1 }, { opacity: 1 }];
  if (m.from && m.to) {
    const [from, to] = [a.from ?? boxOf(find(m.from)), badge(a, m.to)];
    if (!from || !to) return undefined;
    put(a.el, { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), w: 1, h: 1 }, 'ends', '');
    for (const [b, n] of [[from, '①'], [to, '②']] as const) {
      const mark = document.createElement('b');
      mark.textContent = n;
      mark.style.left = `${b.x - Math.min(from.x, to.x)}px`;
      mark.style.top = `${b.y - Math.min(from.y, to.y)}px`;
      a.el.append(mark);
    }
    return a.el.animate(hold, time);
  }
  const place = m.at ?? nowhere;
  const b = place[0] === 'rows' ? span(place.slice(1)) : boxOf(find(place)) ?? a.from;
  if (!b) return undefined;
  put(a.el, b, m.look === 'bracket' ? 'bracket' : m.look === 'error' ? 'error' : 'outline', m.look === 'error' ? m.text ?? '' : '');
  return a.el.animate(hold, time);
}
