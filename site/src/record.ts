// A recording: a checked trace, its document at any step, and indexes over its steps.
import { Doc } from './doc.ts';
import type { Kind, Step, Trace, Value } from './gen/trace.ts';
import { t } from './i18n.ts';
import { newestPacking, unpack } from './pack.ts';

export const newestSchema = 1;

/** Reads a recording, full or packed; what is wrong with it is thrown as one sentence. */
export function readRecording(text: string): Recording {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (e) {
    throw new Error(t('badTrace', { why: (e as Error).message }));
  }
  return new Recording(traceOf(raw), (raw as { packed?: unknown }).packed !== undefined);
}

/** The trace, full or packed, that was parsed already. */
export function traceOf(raw: unknown): Trace {
  const trace = raw as Trace & { packed?: unknown };
  if (typeof trace !== 'object' || trace === null || typeof trace.schema !== 'number') throw new Error(t('badTrace', { why: 'schema' }));
  if (trace.schema > newestSchema) throw new Error(t('badTrace', { why: t('newerTrace', { n: trace.schema }) }));
  if (!Array.isArray(trace.steps) || trace.steps.length === 0) throw new Error(t('badTrace', { why: t('noSteps') }));
  if (trace.packed === undefined) return trace;
  if (typeof trace.packed !== 'number' || trace.packed > newestPacking) throw new Error(t('badTrace', { why: t('newerTrace', { n: trace.schema + '.' + String(trace.packed) }) }));
  const whole = unpack(raw);
  if (typeof whole !== 'number') return whole;
  throw new Error(t('badTrace', { why: t('damaged', { n: whole }) }));
}

export class Recording {
  readonly trace: Trace;
  private readonly doc: Doc;
  private at = -1;
  private byEntity: Map<string, number[]> | undefined;
  private writers: Map<string, number[]> | undefined;
  /** The recording whose steps up to `base` are this one's too; what it has found out of them is not looked for again. */
  private trunk: { rec: Recording; base: number } | undefined;

  /** A trace that was packed fits together by the way it was unpacked; any other one is checked. */
  constructor(trace: Trace, fits = false, doc = initially(trace)) {
    this.trace = trace;
    if (!fits) check(initially(trace), trace.steps);
    this.doc = doc;
  }

  /** This recording up to step `base` and what the core answered follows then: a trace without the steps up to there. */
  branch(base: number, tail: Trace): Recording {
    const { initial, steps } = this.trace;
    const doc = this.docAt(base);
    check(doc, tail.steps, base + 1);
    const made = new Recording({ ...tail, initial, steps: [...steps.slice(0, base + 1), ...tail.steps] }, true, doc);
    made.at = made.length - 1;
    made.trunk = { rec: this, base };
    return made;
  }

  /** The steps that no other recording has found out about. */
  private own(): readonly Step[] { return this.trunk ? this.trace.steps.slice(this.trunk.base + 1) : this.trace.steps; }

  get length(): number { return this.trace.steps.length; }

  step(i: number): Step | undefined { return this.trace.steps[i]; }

  /** The document after step i; -1 is before the first. The same object every time. */
  seek(i: number): Doc {
    const to = Math.max(-1, Math.min(i, this.length - 1));
    while (this.at < to) this.doc.apply(this.trace.steps[++this.at]!.diff);
    while (this.at > to) this.doc.revert(this.trace.steps[this.at--]!.diff);
    return this.doc;
  }

  /** A document of its own after step i. */
  docAt(i: number): Doc {
    const back = this.at;
    const doc = this.seek(i).copy();
    this.seek(back);
    return doc;
  }

  /** The last step up to which both recordings are the same, -1 for none. */
  common(other: Recording): number {
    // The hash is the document's: steps that change nothing there differ in what they say.
    const is = ({ hash, id, vtime_ms, msg }: Step): string => JSON.stringify([hash, id, vtime_ms, msg]);
    let i = 0;
    while (i < this.length && i < other.length && (this.step(i) === other.step(i) || is(this.step(i)!) === is(other.step(i)!))) i++;
    return i - 1;
  }

  /** Whether the document has anything under this root before the first step or after any. */
  speaksOf(root: string): boolean { return [this.trace.initial, ...this.trace.steps.map((s) => s.diff)].some((all) => all?.some((d) => d.path[0] === root)); }

  timeAt(i: number): number { return this.trace.steps[Math.max(0, i)]?.vtime_ms ?? 0; }

  /** The last step at or before `to` of this kind and entity, -1 for none. */
  lastOf(kind: Kind, entity: string, to: number): number {
    this.byEntity ??= index(this.own(), (s) => [s.kind + ' ' + (s.entity ?? '')]);
    const found = lastUpTo(this.byEntity.get(kind + ' ' + entity), to);
    return found < 0 && this.trunk ? this.trunk.rec.lastOf(kind, entity, Math.min(to, this.trunk.base)) : found;
  }

  /** The last step at or before `to` that wrote this leaf, -1 for none. */
  lastWriter(path: readonly string[], to: number): number {
    this.writers ??= index(this.own(), (s) => s.diff?.map((d) => d.path.join('\n')) ?? []);
    const found = lastUpTo(this.writers.get(path.join('\n')), to);
    return found < 0 && this.trunk ? this.trunk.rec.lastWriter(path, Math.min(to, this.trunk.base)) : found;
  }

  /** The last step at or before `to` that satisfies f, searched backwards, not beyond `from`. */
  findBack(to: number, from: number, f: (s: Step) => boolean): Step | undefined {
    for (let i = Math.min(to, this.length - 1); i >= Math.max(0, from); i--) {
      const s = this.trace.steps[i]!;
      if (f(s)) return s;
    }
    return undefined;
  }
}

function initially(trace: Trace): Doc {
  const doc = new Doc();
  doc.apply(trace.initial);
  return doc;
}

/** Steps are numbered from `from`, and every diff starts from what is there, else the recording is damaged. */
function check(doc: Doc, steps: readonly Step[], from = 0): void {
  for (const [k, s] of steps.entries()) {
    const i = from + k;
    const fits = s.i === i && typeof s.lane === 'string' && (s.diff ?? []).every((d) => Array.isArray(d.path) && same(doc.set(d.path, d.after), d.before));
    if (!fits) throw new Error(t('badTrace', { why: t('damaged', { n: i }) }));
  }
}

/** The numbers of the steps that have a key, in order. */
function index(steps: readonly Step[], keys: (s: Step) => readonly string[]): Map<string, number[]> {
  const out = new Map<string, number[]>();
  for (const s of steps) {
    for (const key of keys(s)) {
      const list = out.get(key);
      if (!list) out.set(key, [s.i]);
      else if (list[list.length - 1] !== s.i) list.push(s.i);
    }
  }
  return out;
}

function lastUpTo(list: number[] | undefined, to: number): number {
  for (let k = (list?.length ?? 0) - 1; k >= 0; k--) if (list![k]! <= to) return list![k]!;
  return -1;
}

export function same(a: Value | undefined, b: Value | undefined): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
