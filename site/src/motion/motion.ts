// Motion between two pictures: overlay nodes that travel while the page already shows where they arrive. Any input ends
// all of it; scrubbing and jumps show none, and a step back only outlines what went back.
import { effect } from '@preact/signals-core';
import { onDrawn } from '../dom.ts';
import type { Step } from '../gen/trace.ts';
import type { Recording } from '../record.ts';
import { rest, speed, travel, type Travel } from '../state.ts';
import { begin as lines } from './lines.ts';
import { type Move, crosses, movesOf } from './moves.ts';
import { type Box, boxOf, find, nowhere, type Place } from './places.ts';
import { still, type Acted, act } from './show.ts';
import { stand, warp } from './warp.ts';

/** As many nodes as may be on the page at once. */
const most = 24;
/** As many moments as one move of the cursor shows, one after the other. */
const moments = 4;
/** How long marks stand that do not move. */
const dwell = 1200;

let layer: HTMLElement | undefined;
const free: HTMLElement[] = [];
let made = 0;
const running = new Map<Animation, () => void>();

function node(): HTMLElement | undefined {
  const kept = free.pop();
  if (kept) return kept;
  if (made === most) return undefined;
  made++;
  const el = document.createElement('div');
  layer!.append(el);
  return el;
}

function release(el: HTMLElement): void {
  el.className = '';
  el.textContent = '';
  el.removeAttribute('style');
  delete el.dataset.kind;
  free.push(el);
}

/** A duration as the speed makes it, within what an eye can follow and a reader will wait for. */
export function scaled(ms: number): number { return Math.max(80, Math.min(900, ms / speed.value)); }

/** Ends everything that moves, in its end state. */
export function finish(): void {
  for (const [a, end] of [...running]) {
    a.finish();
    end();
  }
  rest.until = 0;
}

function track(a: Animation, done: () => void): void {
  const end = (): void => { if (running.delete(a)) done(); };
  running.set(a, end);
  a.onfinish = end;
  a.oncancel = end;
}

/** What was where before the picture changed. */
interface Planned { move: Move; delay: number; step: Step; from: Box | undefined; old: string }

/** The moments of a move: of the steps it covers those that led to its last one, the latest few, and what came with them. */
function phases(t: Travel): Step[][] {
  const covered: Step[] = [];
  for (let i = t.from + 1; i <= t.to; i++) covered.push(t.rec.step(i)!);
  const last = covered[covered.length - 1]!;
  const led = new Set([last.i]);
  for (const s of [...covered].reverse()) if (led.has(s.i)) (s.causes ?? []).forEach((c) => led.add(c));
  const key = (s: Step): string => `${s.kind} ${(s.causes ?? []).join(' ')}`;
  const out: Step[][] = [];
  for (const s of covered) {
    if (s !== last && (!led.has(s.i) || !crosses(s))) continue;
    out.push(covered.filter((x) => x === s || (x.causes?.length && key(x) === key(s) && crosses(x))));
  }
  return out.slice(-moments);
}

function plan(t: Travel): { moves: Planned[]; ms: number } {
  const moves: Planned[] = [];
  let delay = 0;
  const seen = new Set<Step>();
  for (const steps of phases(t)) {
    let longest = 0;
    for (const step of steps.filter((s) => !seen.has(s))) {
      seen.add(step);
      for (const move of movesOf(step, t.rec)) {
        const el = find(move.from ?? move.at ?? nowhere);
        moves.push({ move, delay, step, from: boxOf(el), old: el?.textContent?.trim() ?? '' });
        longest = Math.max(longest, scaled(move.ms));
      }
    }
    delay += longest;
  }
  return { moves: moves.slice(0, most), ms: delay };
}

/** Draws one motion over the new picture. */
function start(p: Planned, quiet: boolean): void {
  const el = node();
  if (!el) return;
  el.dataset.kind = p.step.kind;
  const shown: Acted = { el, move: p.move, from: p.from, old: p.old, ms: scaled(p.move.ms), delay: p.delay, dwell };
  const a = quiet ? still(shown) : act(shown);
  if (!a) { release(el); return; }
  track(a, () => release(el));
  const hidden = p.move.hide && !quiet ? find(p.move.hide) : undefined;
  if (hidden) track(hidden.animate([{ opacity: 0 }, { opacity: 0 }], { duration: shown.ms + p.delay, fill: 'backwards' }), () => undefined);
}

/** A step back plays nothing; what went back is outlined. */
function outline(rec: Recording, from: number, to: number): void {
  const places: Place[] = [];
  for (let i = from; i > to; i--) {
    for (const d of rec.step(i)?.diff ?? []) {
      if (d.path[0] !== 'view') continue;
      if (d.path[1] === 'row') places.push(['row', d.path[2]!]);
      else if (d.path[1] === 'belief') places.push(['belief', d.path[3]!, d.path[2]!]);
      else if (d.path[1] === 'chip') places.push(['chip', d.path[2]!, d.path[3]!]);
      else if (d.path[1] === 'broker') places.push(['card', d.path[2]!]);
    }
  }
  const once = new Set<Element>();
  for (const place of places) {
    const target = find(place);
    if (!target || once.has(target)) continue;
    once.add(target);
    const el = node();
    if (!el) return;
    const a = still({ el, move: { look: 'ring', ms: dwell, easing: 'linear', at: place }, from: undefined, old: '', ms: dwell, delay: 0, dwell });
    if (a) track(a, () => release(el));
    else release(el);
  }
}

const quietly = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether nothing is to travel: as the system asks, or the page's own switch. */
export function calm(): boolean { return quietly.matches || document.documentElement.hasAttribute('data-still'); }

/** Follows the cursor from now on. */
export function begin(): void {
  layer = document.createElement('div');
  layer.className = 'motion';
  layer.ariaHidden = 'true';
  document.body.append(layer);
  lines(layer);
  for (const input of ['pointerdown', 'keydown', 'wheel'] as const) addEventListener(input, finish, { capture: true, passive: true });
  let next: (() => void) | undefined;
  effect(() => {
    const t = travel.value;
    finish();
    next = undefined;
    if (!t) return;
    if (t.by < 0) { next = () => outline(t.rec, t.from, t.to); return; }
    const quiet = calm();
    const { moves, ms } = plan(t);
    rest.until = performance.now() + (quiet ? 0 : ms);
    const was = !quiet && t.rec.findBack(t.to, t.from + 1, (x) => x.kind === 'clock.warp') ? stand() : undefined;
    next = () => {
      moves.forEach((p) => start(quiet ? { ...p, delay: 0 } : p, quiet));
      if (was) warp(was, scaled(600)).forEach((a) => track(a, () => undefined));
    };
  });
  onDrawn.push(() => { const now = next; next = undefined; now?.(); });
}
