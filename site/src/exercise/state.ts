// Whose exercise it is, what was done and answered, and what it gives. Only this file changes it; the core grades.
import { batch, computed, signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { pass } from '../progress.ts';
import { first, notice } from '../state.ts';
import { allowed } from '../sandbox/palette.ts';
import { act, here, ops, root, runOn } from '../sandbox/world.ts';
import { type Entry, entries, type Part } from './words.ts';

export const who = signal('');
export const klass = signal('');
export const entry = signal<Entry | undefined>(undefined);
export const partID = signal('');
export const dealt = signal<core.Dealt | undefined>(undefined);
export const answers = signal<Record<string, string>>({});
/** What each part's operations were when it was left. */
const kept: Record<string, string> = {};
export const graded = signal<core.Graded | undefined>(undefined);
export const handedIn = signal<core.Graded | undefined>(undefined);
export const hints = signal(0);

export const part = computed<Part | undefined>(() => entry.value?.exercise.parts.find((p) => p.id === partID.value));

function student(only?: string): core.Student {
  return { exercise: JSON.stringify(entry.value!.exercise), who: who.value, class: klass.value, ...(only === undefined ? {} : { part: only }) };
}

/** A text with the variant's values; a value may name others. */
export function fill(text: string): string {
  const values = dealt.value?.values ?? {};
  const once = (t: string): string => t.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
  return once(once(text));
}

/** The operations of the part on the stage: what its script has beyond the given one. */
function opsHere(): string {
  const [first, last] = [ops.value[0], here.value];
  if (!first || !last) return '';
  return last.inputs.script.startsWith(first.inputs.script) ? last.inputs.script.slice(first.inputs.script.length) : last.inputs.script;
}

/** How many operations were used; letting the world go on is free. */
export const used = computed(() => (here.value ? opsHere().split('\n').filter((l) => l.trim() !== '' && !/^(until|run)\b/.test(l)).length : 0));

export async function openEntry(e: Entry): Promise<void> {
  batch(() => {
    entry.value = e;
    answers.value = {};
    handedIn.value = undefined;
  });
  for (const k of Object.keys(kept)) delete kept[k];
  recall();
  await openPart(e.exercise.parts[0]!.id);
}

export async function openPart(id: string): Promise<void> {
  leave();
  partID.value = id;
  graded.value = undefined;
  hints.value = 0;
  try {
    const out = await core.openPart(student(id));
    dealt.value = out.dealt;
    allowed.value = out.dealt.verbs;
    root(out);
    if (part.value?.kind !== 'drive') first();
    const lines = (kept[id] ?? '').split('\n').filter((l) => l.trim() !== '');
    const on = runOn.value;
    runOn.value = false;
    for (const line of lines) if (!await act(line)) break;
    runOn.value = on;
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

/** Keeps what was done in the part that is left. */
export function leave(): void {
  if (part.value?.kind === 'drive' && here.value) kept[partID.value] = opsHere();
  remember();
}

export function answer(key: string, value: string): void {
  answers.value = { ...answers.value, [key]: value };
  handedIn.value = undefined;
  remember();
}

function handin(): unknown {
  const hash = here.value?.rec.trace.hash;
  return { ops: kept, answers: answers.value, hashes: part.value?.kind === 'drive' && hash ? { [partID.value]: hash } : {} };
}

/** Grades the part on the stage. */
export async function check(): Promise<void> {
  leave();
  try {
    graded.value = await core.grade(student(partID.value), { ops: kept, answers: answers.value });
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

/** Grades everything and writes the hand-in. */
export async function handIn(): Promise<void> {
  leave();
  try {
    const all = await core.grade(student(), handin());
    handedIn.value = all;
    if (all.report.points === all.report.of) pass(entry.value!.lesson);
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

const store = 'controllerscope.exercise.';

function remember(): void {
  if (!entry.value || who.value === '') return;
  try {
    localStorage.setItem(store + 'who', JSON.stringify([who.value, klass.value]));
    localStorage.setItem(store + entry.value.exercise.id + '.' + who.value, JSON.stringify({ ops: kept, answers: answers.value }));
  } catch { /* no memory: the hand-in can still be written */ }
}

function recall(): void {
  try {
    const had = JSON.parse(localStorage.getItem(store + entry.value!.exercise.id + '.' + who.value) ?? '{}') as { ops?: Record<string, string>; answers?: Record<string, string> };
    Object.assign(kept, had.ops ?? {});
    answers.value = had.answers ?? {};
  } catch { /* nothing is remembered */ }
}

export function recallWho(): void {
  try {
    const [w, k] = JSON.parse(localStorage.getItem(store + 'who') ?? '["",""]') as [string, string];
    who.value = w;
    klass.value = k;
  } catch { /* nobody is remembered */ }
}

export function byID(id: string): Entry | undefined { return entries().find((e) => e.exercise.id.toLowerCase() === id.toLowerCase()); }
