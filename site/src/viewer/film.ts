// The film: acts on top, three curves over all steps, and the scrubber.
import { html, svg, type TemplateResult } from 'lit-html';
import { computed } from '@preact/signals-core';
import { vars } from '../dom.ts';
import type { Diff, Value } from '../gen/trace.ts';
import type { Recording } from '../record.ts';
import { acts, goto, rec, type Scene, stops } from '../state.ts';
import { w } from './words.ts';

const width = 1000;

/** A counter at every step, and its curve. */
interface Curve { name: string; values: number[]; line: string }
const known = new WeakMap<Recording, Curve[]>();

/** Counters that follow the document from step to step. */
class Counters {
  private queued = new Set<string>();
  private offline = new Map<string, number>();
  private mismatch = new Map<string, number>();

  take(diff: readonly Diff[] = []): void {
    for (const d of diff) {
      const [station, name, third] = d.path;
      if (station === 'queue' && d.path.length === 3) this.set(this.queued, d.path.join(' '), d.after);
      else if (station === 'metric' && third === 'OfflinePartitionsCount') this.offline.set(name!, Number(d.after ?? 0));
      else if (station === 'view' && name === 'mismatch') this.mismatch.set(third!, Number(d.after ?? 0));
    }
  }

  private set(of: Set<string>, key: string, after: Value | undefined): void {
    if (after === undefined) of.delete(key);
    else of.add(key);
  }

  now(): [number, number, number] {
    const sum = (m: Map<string, number>): number => [...m.values()].reduce((a, b) => a + b, 0);
    return [this.queued.size, Math.max(0, ...this.offline.values()), sum(this.mismatch)];
  }
}

function curves(r: Recording): Curve[] {
  const had = known.get(r);
  if (had) return had;
  const out: Curve[] = ['EventQueueSize', 'OfflinePartitionsCount', '≠'].map((name) => ({ name, values: [], line: '' }));
  const counters = new Counters();
  counters.take(r.trace.initial);
  for (const s of r.trace.steps) {
    counters.take(s.diff);
    counters.now().forEach((v, i) => out[i]!.values.push(v));
  }
  for (const c of out) c.line = line(c.values);
  known.set(r, out);
  return out;
}

/** A curve as steps of a staircase; only where it changes. */
function line(values: number[]): string {
  const most = values.reduce((a, b) => Math.max(a, b), 1);
  const x = (i: number): string => ((i / Math.max(1, values.length - 1)) * width).toFixed(1);
  const y = (v: number): string => (14 - (v / most) * 12).toFixed(1);
  let d = `M0 ${y(values[0] ?? 0)}`;
  for (let i = 1; i < values.length; i++) if (values[i] !== values[i - 1]) d += `H${x(i)}V${y(values[i]!)}`;
  return d + `H${width}`;
}

/** As many acts as can be told apart over the film. */
const most = 40;

/** Where acts begin; of more than there is room for those that are not right behind another. */
const starts = computed<{ title: string; at: number }[]>(() => {
  const first = new Map<number, number>();
  for (const p of stops.value) if (!first.has(p.act)) first.set(p.act, p.at);
  const all = acts.value.map((a, k) => ({ title: a.title, at: first.get(k) ?? 0 }));
  if (all.length <= most) return all;
  const apart = (rec.value?.length ?? 0) / most;
  const kept: typeof all = [];
  for (const a of all) if (kept.length === 0 || a.at - kept[kept.length - 1]!.at >= apart) kept.push(a);
  return kept;
});

export function film(s: Scene): TemplateResult {
  const n = Math.max(1, s.rec.length - 1);
  const all = starts.value;
  return html`<section class="film" aria-label=${w('film')}><div class="acts" aria-hidden="true">${all.map((a, k) => html`<span ${vars({ '--from': a.at / n, '--to': (all[k + 1]?.at ?? n) / n })} title=${a.title} class=${a.at <= s.at && s.at < (all[k + 1]?.at ?? n + 1) ? 'on' : ''}>${a.title}</span>`)}</div>
    ${curves(s.rec).map((c, k) => html`<div class="curve"><span>${c.name} <b>${c.values[s.at] ?? 0}</b></span><svg viewBox="0 0 ${width} 16" preserveAspectRatio="none" aria-hidden="true">${svg`<path class="c${k}" d=${c.line}/>`}</svg></div>`)}
    <input type="range" min="0" max=${n} .value=${String(Math.max(0, s.at))} aria-label=${w('film')} @input=${(e: Event) => goto(Number((e.target as HTMLInputElement).value))}></section>`;
}
