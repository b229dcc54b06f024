// The sandbox's history: a tree of operations, each with the recording up to its end. Only this file changes it.
import { batch, computed, signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { Recording } from '../record.ts';
import { at, compare, fork, goto, notice, recordings, rec } from '../state.ts';

/** One operation, after what stands before it in the tree; the root is the set-up. */
export interface Op {
  id: number;
  line: string;
  /** What the reader calls it; '' is its line. */
  name: string;
  parent: Op | undefined;
  inputs: core.Inputs;
  rec: Recording;
  /** The step it was done after, and the line that let the world go on behind it, '' for none. */
  base: number;
  then: string;
  /** Its first step in the recording; what comes before are its parents'. */
  from: number;
  failure: string;
}

export const ops = signal<Op[]>([]);
export const here = signal<Op | undefined>(undefined);
/** Whether the world goes on by itself after an operation, until nothing is pending. */
export const runOn = signal(true);
export const next = signal<core.Next | undefined>(undefined);
/** The broker that buttons and keys mean. */
export const broker = signal('0');
/** Lines as they were done, for the command bar's memory. */
export const lines: string[] = [];

let count = 0;

/** The operations from the set-up to here. */
export const path = computed<Op[]>(() => {
  const out: Op[] = [];
  for (let o = here.value; o; o = o.parent) out.unshift(o);
  return out;
});

function say(e: unknown): void { notice.value = e instanceof Error ? e.message : String(e); }

/** Shows an operation's world at its end. */
export function show(o: Op): void {
  batch(() => {
    fork.value = undefined;
    compare.value = false;
    here.value = o;
    recordings.value = [o.rec];
    goto(o.rec.length - 1);
    notice.value = o.failure;
  });
}

/** Begins a history with a run that the core has made. */
export function root(out: Omit<core.Future, 'from'>): void {
  const made: Op = { id: ++count, line: '', name: '', parent: undefined, inputs: out.inputs, rec: new Recording(out.trace), base: -1, then: '', from: 0, failure: out.failure ?? '' };
  ops.value = [made];
  next.value = undefined;
  show(made);
}

/** Begins anew; what was there is gone. */
export async function begin(inputs: core.Inputs): Promise<boolean> {
  try {
    root(await core.open(inputs));
    return true;
  } catch (e) {
    say(e);
    return false;
  }
}

/** The operation that step i belongs to. */
function ownerOf(i: number): Op {
  const all = path.value;
  return all.findLast((o) => o.from <= i) ?? all[0]!;
}

/** Whether an operation is being carried out. */
export const acting = signal(false);
let queue: Promise<unknown> = Promise.resolve();

/**
 * Does one line right after the cursor, after what was asked for before, and what lets the world go on: with runOn until it
 * is idle, unless `then` says otherwise. In the past it begins another future.
 */
export function act(line: string, then?: string): Promise<boolean> {
  const done = queue.then(() => carryOut(line.trim(), then ?? (runOn.value && !passes(line.trim()) ? 'until idle' : '')));
  queue = done;
  return done;
}

async function carryOut(text: string, then: string): Promise<boolean> {
  const o = here.value;
  if (!o || text === '') return false;
  notice.value = '';
  acting.value = true;
  try {
    const base = at.value;
    const op = await made(base === o.rec.length - 1 ? o : ownerOf(base), base, text, then);
    lines.push(text);
    ops.value = [...ops.value, op];
    show(op);
    return true;
  } catch (e) {
    say(e);
    return false;
  } finally {
    acting.value = false;
  }
}

/** The operation that a line makes after step base of its parent's run. */
async function made(parent: Op, base: number, line: string, then: string): Promise<Op> {
  let out = await core.act(parent.inputs, base, line);
  let rec = parent.rec.branch(base, out.trace);
  if (then !== '' && out.failure === undefined) {
    const end = rec.length - 1;
    const done = await core.act(out.inputs, end, then);
    rec = rec.branch(end, done.trace);
    out = { ...done, from: out.from };
  }
  return { id: ++count, line, name: '', parent, inputs: out.inputs, rec, base, then, from: out.from, failure: out.failure ?? '' };
}

/** An operation as links write it: the place of its parent in the list, -1 for none; base, line, then and name as Op has them. */
export type Grown = [parent: number, base: number, line: string, then: string, name: string];

/** The whole history for a link, in the order in which it was done; undefined when all it has are lines one after the other. */
export function grown(): Grown[] | undefined {
  const all = ops.value;
  if (all.every((o, i) => o.name === '' && o.parent === all[i - 1])) return undefined;
  return all.map((o) => [o.parent ? all.indexOf(o.parent) : -1, o.base, o.line, o.then, o.name]);
}

/** Begins with a run and does again what a link says of the history; then shows the operation at place `shown`. */
export async function regrow(inputs: core.Inputs, list: readonly Grown[], shown: number): Promise<boolean> {
  if (!await begin(inputs)) return false;
  const all = [...ops.value];
  let failure: unknown;
  acting.value = true;
  try {
    for (const [parent, base, line, then] of list.slice(1)) all.push(await made(all[parent]!, base, line, then));
  } catch (e) {
    failure = e;
  }
  all.forEach((o, i) => { o.name = list[i]![4]; });
  acting.value = false;
  ops.value = all;
  show(all[shown] ?? all[all.length - 1]!);
  if (failure !== undefined) say(failure);
  return failure === undefined;
}

/** Lines that only let the world go on, or that look at it. */
function passes(line: string): boolean { return /^(until|run|expect|never|clock|wait)\b/.test(line); }

/** Many lines, one after the other, up to the first that fails. */
export async function actAll(text: string): Promise<void> {
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    if (!await act(line)) return;
  }
}

/** Gives an operation, and with it the branch that ends there, a name of its own. */
export function rename(o: Op, name: string): void {
  o.name = name.trim();
  ops.value = [...ops.value];
}

/** Takes the last operation back; it stays in the tree. */
export function undo(): void {
  const o = here.value;
  if (o?.parent) show(o.parent);
}

/** Puts another future beside the one shown. */
export function beside(o: Op): void {
  const mine = here.value;
  if (!mine || mine === o) return;
  const common = mine.rec.common(o.rec);
  batch(() => {
    recordings.value = [mine.rec];
    fork.value = { rec: o.rec, run: 0, base: common, lines: linesOf(o) };
    at.value = o.rec.length - 1;
    compare.value = true;
  });
}

function linesOf(o: Op): string[] { return o.parent ? [...linesOf(o.parent), o.line] : []; }

const known: { op: Op | undefined; at: number } = { op: undefined, at: -2 };
/** Whether the core needs so long to say what may happen that it is not asked at every step that plays. */
export let slow = false;

/** Asks the core what may happen at the cursor, once for each place; the answer of a place that was left is not shown. */
export async function ask(): Promise<void> {
  const o = here.value;
  const step = at.value;
  if (!o || rec.value !== o.rec || (known.op === o && known.at === step)) return;
  Object.assign(known, { op: o, at: step });
  try {
    const began = performance.now();
    const answer = await core.choices(o.inputs, step, { forms: true });
    slow = performance.now() - began > 100;
    if (here.value === o && at.value === step) next.value = answer;
  } catch (e) {
    say(e);
  }
}

/** Words that could come where a line ends. */
export async function complete(line: string): Promise<string[]> {
  const o = here.value;
  if (!o) return [];
  try {
    return (await core.choices(o.inputs, at.value, { line })).complete ?? [];
  } catch {
    return [];
  }
}
