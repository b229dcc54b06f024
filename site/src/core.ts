// The one module that knows the WASM core: it talks to the worker that holds it. Calls answer in order.
import { signal } from '@preact/signals-core';
import type { Trace } from './gen/trace.ts';

/** What the core can be started with: a recording's own inputs, so that a fork leaves exactly that run. */
export interface Inputs { setup: string; seed: number; script: string; tree?: string }

/** A run that an operation began: its first own step is from; failure says what did not go as its script says. */
export interface Future { trace: Trace; inputs: Inputs; from: number; failure?: string }

/** One thing that happens next unless something else happens before it; line makes it happen now. */
export interface Pending { id: string; kind: string; what: string; process?: string; due: number; droppable: boolean; line: string; ways: Option[] }

/** One operation that may be tried; reason says why it cannot be carried out. */
export interface Option { line: string; legal: boolean; reason?: string }

/** A verb with its arguments, and what the world has for each. */
export interface Form { words: string; usage: string; about: string; dotted: boolean; slots: { name: string; lead: string; optional: boolean; many: boolean; values: string[] }[] }

/** What may happen, what may be done, who is in office; complete, forms and what the weather blows only when they were asked for. */
export interface Next { choices: Pending[]; verbs: Option[]; office: string; gust?: string; complete?: string[]; forms?: Form[] }

export interface Panic { message: string; setup: string; seed: number; script: string; step: number }

export type Status = { at: 'off' | 'loading' | 'ready' } | { at: 'failed'; why: string } | { at: 'panic'; panic: Panic };
export const status = signal<Status>({ at: 'off' });
export const busy = signal(false);

interface Reply { id: number; json?: string; error?: string }

let worker: Worker | undefined;
let count = 0;
const waiting = new Map<number, { ok: (json: string) => void; no: (e: Error) => void }>();
let urls = { worker: '', wasm: '' };

const policy = (globalThis as unknown as { trustedTypes?: { createPolicy(n: string, r: object): { createScriptURL(u: string): string } } })
  .trustedTypes?.createPolicy('wk', { createScriptURL: (u: string) => u });

/** Starts worker and core behind the page. */
export function start(workerURL: string, wasmURL: string): void {
  urls = { worker: workerURL, wasm: wasmURL };
  status.value = { at: 'loading' };
  try {
    worker = new Worker(policy ? policy.createScriptURL(workerURL) : workerURL, { type: 'module' });
  } catch (e) {
    status.value = { at: 'failed', why: (e as Error).message };
    return;
  }
  worker.onerror = (e) => fail(e.message || 'worker');
  worker.onmessage = (e: MessageEvent<Reply>) => {
    const call = waiting.get(e.data.id);
    waiting.delete(e.data.id);
    busy.value = waiting.size > 0;
    if (e.data.error !== undefined) call?.no(new Error(e.data.error));
    else call?.ok(e.data.json ?? '{}');
  };
  send('init', { wasm: wasmURL }).then(
    () => { if (status.value.at === 'loading') status.value = { at: 'ready' }; },
    (e: Error) => fail(e.message),
  );
}

export function restart(): void {
  worker?.terminate();
  waiting.clear();
  loaded = undefined;
  start(urls.worker, urls.wasm);
}

function fail(why: string): void {
  for (const call of waiting.values()) call.no(new Error(why));
  waiting.clear();
  busy.value = false;
  status.value = { at: 'failed', why };
}

function send(op: string, args: unknown): Promise<string> {
  const w = worker;
  if (!w) return Promise.reject(new Error('worker'));
  const id = ++count;
  busy.value = true;
  return new Promise((ok, no) => {
    waiting.set(id, { ok, no });
    w.postMessage({ id, op, args: JSON.stringify(args) });
  });
}

/** One call into the core. Its answer is the result, or {error}, or {panic}. */
async function call<T>(op: 'load' | 'act' | 'choices' | 'eval', args: unknown): Promise<T> {
  const out = JSON.parse(await send(op, args)) as T & { error?: string; panic?: Panic };
  if (out.panic) {
    status.value = { at: 'panic', panic: out.panic };
    throw new Error(out.panic.message);
  }
  if (out.error !== undefined) throw new Error(out.error);
  return out;
}

let loaded: Inputs | undefined;

/** Executes a run and makes it the one that act, choices and eval speak of. Without setup and script a tree's brokers start. */
export async function open(run: Inputs): Promise<Omit<Future, 'from'>> {
  loaded = undefined;
  const out = await call<Omit<Future, 'from'>>('load', run);
  loaded = out.inputs;
  return out;
}

/** An exercise, and whose variant of it. */
export interface Student { exercise: string; who: string; class: string; part?: string }

/** What a variant deals to a part: the values of its names, and of a drive part how many operations it may take and which. */
export interface Dealt { variant: string; values: Record<string, string>; operations: number; verbs: string[] }

export interface Graded {
  report: { points: number; of: number; results: { part: string; criterion: string; points: number; of: number; step: number }[]; notes: { part: string; key: string; text: string }[] };
  file: string;
  line: string;
}

/** Makes a part of an exercise the present run. */
export async function openPart(s: Student): Promise<Omit<Future, 'from'> & { dealt: Dealt }> {
  loaded = undefined;
  const out = await call<Omit<Future, 'from'> & { dealt: Dealt }>('load', s);
  loaded = out.inputs;
  return out;
}

/** Grades a hand-in by executing it again. */
export async function grade(s: Student, handin: unknown): Promise<Graded> {
  return call<Graded>('eval', { ...s, handin: JSON.stringify(handin) });
}

/** Makes the run with these inputs the present one; the page that speaks of it has its recording. */
async function load(run: Inputs): Promise<void> {
  if (loaded?.script === run.script && loaded.seed === run.seed && loaded.setup === run.setup && loaded.tree === run.tree) return;
  loaded = undefined;
  loaded = (await call<Omit<Future, 'from'>>('load', { ...run, tail: true })).inputs;
}

/** What follows when `line` is done right after step base of that run: the trace has no steps before (Recording.branch does). */
export async function act(run: Inputs, base: number, line: string): Promise<Future> {
  await load(run);
  const out = await call<Future>('act', { base, line, tail: true });
  loaded = out.inputs;
  return out;
}

/** The value of an expression right after step `at` of the present run. */
export async function evaluate(at: number, expr: string): Promise<unknown> {
  return (await call<{ value?: unknown }>('eval', { at, expr })).value;
}

/** What may happen, and what may be done, right after step `at` of that run. */
export async function choices(run: Inputs, step: number, more: { line?: string; forms?: boolean; weather?: string } = {}): Promise<Next> {
  await load(run);
  return call<Next>('choices', { at: step, ...more });
}
