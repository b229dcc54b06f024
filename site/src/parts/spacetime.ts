// The space–time diagram: time runs down, causes run along the arrows. What only happens within one lane is collapsed;
// a point is a jump, and two points ask whether the one caused the other.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import { onDrawn, vars } from '../dom.ts';
import { kindText, seconds } from '../fmt.ts';
import type { Step } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import type { Recording } from '../record.ts';
import { at, goto, lesson, type Scene, spacetime } from '../state.ts';
import { wayTo } from '../causes.ts';
import { processOf } from './scene.ts';

/** As many rows as are drawn around the cursor, their height, and a wait that is drawn as one (ms). */
const rows = 90;
const high = 30;
const long = 1000;

const all = signal(false);
const asked = signal<{ rec: Recording; a?: number; b?: number } | undefined>(undefined);

interface Lane { key: string; name: string }
interface Dot { step: Step; lane: string; local: number; row: number }

/** The lane of a step in the diagram: outside, ZooKeeper, a controller's thread, what is sent to a broker, a broker. */
function laneOf(s: Step): string {
  if (s.lane.startsWith('admin')) return 'a';
  if (s.lane === 'zk') return 'b';
  if (s.lane.endsWith('.controller')) return 'c' + processOf(s.lane);
  const to = s.lane.split('>')[1];
  return to !== undefined ? 'd' + to : 'e' + processOf(s.lane);
}

function nameOf(key: string): string {
  const who = key.slice(1);
  return key === 'a' ? t('outsideLane') : key === 'b' ? t('zk') : key[0] === 'c' ? t('controllerN', { b: who }) : key[0] === 'd' ? t('sendTo', { b: who }) : t('broker', { b: who });
}

const crossings = new WeakMap<Recording, Set<number>>();

/** The steps that have a part in what goes from lane to lane: they cause something elsewhere, or come of it, or begin. */
function crossing(rec: Recording): Set<number> {
  let out = crossings.get(rec);
  if (out) return out;
  out = new Set();
  for (let i = 0; i < rec.length; i++) {
    const s = rec.step(i)!;
    if (!s.causes?.length) out.add(i);
    for (const c of s.causes ?? []) {
      if (laneOf(rec.step(c)!) === laneOf(s)) continue;
      out.add(i);
      out.add(c);
    }
  }
  crossings.set(rec, out);
  return out;
}

/** The shortest way of causes from a to b, both included; undefined when a has no part in b. */
function way(rec: Recording, a: number, b: number): number[] | undefined {
  const next = new Map<number, number>([[b, -1]]);
  const wait = [b];
  for (let k = 0; k < wait.length && !next.has(a); k++) {
    for (const c of rec.step(wait[k]!)?.causes ?? []) {
      if (c < a || next.has(c)) continue;
      next.set(c, wait[k]!);
      wait.push(c);
    }
  }
  if (!next.has(a)) return undefined;
  const out: number[] = [];
  for (let i = a; i >= 0; i = next.get(i) ?? -1) out.push(i);
  return out;
}

/** The rows to draw: around the cursor, with the lit way always among them. */
function dots(s: Scene, lit: number[]): Dot[] {
  const cross = crossing(s.rec);
  const end = s.hidden ? s.at : s.rec.length - 1;
  const on = new Set(lit);
  const shown = (i: number): boolean => all.value || cross.has(i) || on.has(i) || i === s.at;
  const near: number[] = [];
  for (let i = s.at; i >= 0 && near.length < rows * 2 / 3; i--) if (shown(i)) near.unshift(i);
  for (let i = s.at + 1; i <= end && near.length < rows; i++) if (shown(i)) near.push(i);
  const first = near[0] ?? 0;
  const early = lit.filter((i) => i < first);
  const left = new Map<string, number>();
  const out: Dot[] = [];
  const want = new Set([...early, ...near]);
  for (let i = early[0] ?? first; i <= (near[near.length - 1] ?? s.at); i++) {
    const step = s.rec.step(i)!;
    const lane = laneOf(step);
    if (!want.has(i)) { if (i >= first) left.set(lane, (left.get(lane) ?? 0) + 1); continue; }
    out.push({ step, lane, local: left.get(lane) ?? 0, row: out.length });
    left.delete(lane);
  }
  return out;
}

/** The nearest drawn causes of a step. */
function from(rec: Recording, s: Step, drawn: Map<number, Dot>): Dot[] {
  const out: Dot[] = [];
  const seen = new Set<number>();
  const wait = [...(s.causes ?? [])];
  for (let k = 0; k < wait.length && k < 60; k++) {
    const c = wait[k]!;
    if (seen.has(c)) continue;
    seen.add(c);
    const dot = drawn.get(c);
    if (dot) out.push(dot);
    else wait.push(...(rec.step(c)?.causes ?? []));
  }
  return out;
}

export function diagram(s: Scene): TemplateResult {
  const q = asked.value?.rec === s.rec ? asked.value : undefined;
  const answer = q?.a !== undefined && q.b !== undefined ? way(s.rec, Math.min(q.a, q.b), Math.max(q.a, q.b)) : undefined;
  const lit = answer ?? (q?.b !== undefined ? [] : wayTo(s.rec, s.at));
  const list = dots(s, lit);
  const drawn = new Map(list.map((d) => [d.step.i, d]));
  const lanes: Lane[] = [...new Set(list.map((d) => d.lane))].sort().map((key) => ({ key, name: nameOf(key) }));
  const x = (lane: string): number => (lanes.findIndex((l) => l.key === lane) + 0.5) / lanes.length * 100;
  const on = new Map(lit.map((i, k) => [i, k]));
  return html`<main class="spacetime" id="stage" tabindex="-1" aria-labelledby="st-title">
    <header><h1 id="st-title">${lesson.value ? `${lesson.value.number} · ${lesson.value.title}` : t('spacetime')}</h1><p>${t('spacetimeSub')}</p>
      <div class="seg">${[false, true].map((v) => html`<button aria-pressed=${all.value === v} @click=${() => { all.value = v; }}>${t(v ? 'stAll' : 'stCollapse')}</button>`)}</div><button class="plain" @click=${() => { spacetime.value = false; }}>${t('close')} <kbd>T</kbd></button></header>
    <div class="plane" ${vars({ '--lanes': lanes.length })}><div class="lanes" aria-hidden="true">${lanes.map((l) => html`<span ${vars({ '--x': `${x(l.key)}%` })}>${l.name}</span>`)}</div><div class="paper" ${vars({ '--rows': list.length })}>
      <svg viewBox="0 0 100 ${list.length * high}" preserveAspectRatio="none" aria-hidden="true">${lanes.map((l) => svg`<path class="lane" d="M${x(l.key)} 0V${list.length * high}" vector-effect="non-scaling-stroke"/>`)}
        ${list.flatMap((d) => from(s.rec, d.step, drawn).map((c) => arrow(c, d, x, on)))}</svg>
      ${list.map((d, i) => (i === 0 || list[i - 1]!.step.vtime_ms !== d.step.vtime_ms ? html`<time ${vars({ '--y': `${y(d.row)}px` })}>${seconds(d.step.vtime_ms)} s</time>` : nothing))}
      <ol>${list.map((d) => point(s, d, x(d.lane), on.has(d.step.i), q))}</ol></div></div>
    ${card(s, q, answer)}</main>`;
}

const y = (row: number): number => row * high + high / 2;

function arrow(c: Dot, d: Dot, x: (lane: string) => number, on: Map<number, number>): TemplateResult {
  const lit = on.has(c.step.i) && on.has(d.step.i) && Math.abs(on.get(d.step.i)! - on.get(c.step.i)!) === 1;
  const waits = d.step.vtime_ms - c.step.vtime_ms >= long;
  return svg`<path class="cause ${lit ? 'lit' : ''} ${waits ? 'waits' : ''}" d="M${x(c.lane)} ${y(c.row)}L${x(d.lane)} ${y(d.row)}" vector-effect="non-scaling-stroke"/>` as TemplateResult;
}

function point(s: Scene, d: Dot, left: number, lit: boolean, q: { a?: number; b?: number } | undefined): TemplateResult {
  const i = d.step.i;
  const end = q?.a === i || q?.b === i;
  const choose = (e: MouseEvent): void => { if (e.shiftKey) ask(s.rec, i); else goto(i); };
  return html`<li ${vars({ '--x': `${left}%`, '--y': `${y(d.row)}px` })} class="${lit ? 'lit' : ''} ${i === s.at ? 'here' : ''} ${end ? 'end' : ''} ${left > 70 ? 'flip' : ''}">
    ${d.local > 0 ? html`<span class="pill" title=${t('stLocal', { n: d.local })}>${d.local}</span>` : nothing}
    <button aria-current=${i === s.at ? 'step' : 'false'} @click=${choose} @keydown=${(e: KeyboardEvent) => { if (e.key === 'Enter' && e.shiftKey) { e.preventDefault(); ask(s.rec, i); } }}><i></i><span class="hidden">${nameOf(d.lane)}: </span><span class="what">${kindText(d.step)}</span></button></li>`;
}

/** The first point, then the second; a third begins anew. */
function ask(rec: Recording, i: number): void {
  const q = asked.value;
  asked.value = q?.rec === rec && q.a !== undefined && q.b === undefined && q.a !== i ? { ...q, b: i } : { rec, a: i };
}

function card(s: Scene, q: { a?: number; b?: number } | undefined, path: number[] | undefined): TemplateResult {
  if (q?.a === undefined) return html`<aside class="question"><p class="hint">${t('stHint')}</p></aside>`;
  const [a, b] = q.b === undefined ? [q.a, undefined] : [Math.min(q.a, q.b), Math.max(q.a, q.b)];
  const text = (i: number): string => kindText(s.rec.step(i)!);
  if (b === undefined) return html`<aside class="question"><p class="meta">${t('stAsk')}</p><p><b>${text(a)}</b> → …</p><p class="hint">${t('stSecond')}</p>${clear()}</aside>`;
  const waits = (path ?? []).slice(1).reduce((sum, i, k) => { const gap = s.rec.timeAt(i) - s.rec.timeAt(path![k]!); return sum + (gap >= long ? gap : 0); }, 0);
  const total = s.rec.timeAt(b) - s.rec.timeAt(a);
  return html`<aside class="question"><p class="meta">${t('stAsk')}</p><p><b>${text(a)}</b> → <b>${text(b)}</b></p>
    <div role="status"><strong class=${path ? 'yes' : 'no'}>${path ? t('stYes', { n: path.length - 1 }) : t('stNo')}</strong><p>${path ? t('stTimes', { wait: seconds(waits), work: total - waits }) : t('stConcurrent')}</p></div>
    <p class="row2">${path ? html`<button class="box" @click=${() => play(path)}>${t('stPlay')}</button>` : nothing}${clear()}</p></aside>`;
}

function clear(): TemplateResult { return html`<button class="plain" @click=${() => { asked.value = undefined; }}>${t('stClear')}</button>`; }

let timer = 0;

/** Goes along the way, one step after the other. */
function play(path: number[]): void {
  clearTimeout(timer);
  const [i, ...rest] = path;
  if (i === undefined || !spacetime.value) return;
  goto(i);
  timer = window.setTimeout(() => play(rest), 700);
}

let shownAt = -2;

/** Keeps the cursor's point in sight. */
onDrawn.push(() => {
  if (!spacetime.value) { shownAt = -2; return; }
  if (shownAt === at.value) return;
  shownAt = at.value;
  document.querySelector('.paper .here button')?.scrollIntoView({ block: 'center' });
});
