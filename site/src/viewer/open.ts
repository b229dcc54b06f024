// Opens recordings: files in any form that the command line writes, lessons' recordings, saved runs. Nothing is uploaded.
import { signal } from '@preact/signals-core';
import { Recording, traceOf } from '../record.ts';
import { at, goto, notice, recordings } from '../state.ts';
import { w } from './words.ts';

/** What is open: a name, where it comes from when it has an address, and what replaying it came to. */
export interface Opened { name: string; address: string; rec: Recording; verified: '' | 'same' | 'differs' }

export const opened = signal<Opened | undefined>(undefined);

/** A second recording, and where it parts from the first: looked for once, as it is opened. */
export interface Second { name: string; rec: Recording; part: Part | undefined }
export const second = signal<Second | undefined>(undefined);

/** Parses a line; the error says which it is. */
function parsed(text: string, n: number): unknown {
  try {
    return JSON.parse(text);
  } catch (e) {
    const at = /position (\d+)/.exec((e as Error).message)?.[1];
    throw new Error(w('badLine', { n: n + text.slice(0, Number(at ?? 0)).split('\n').length, why: (e as Error).message }));
  }
}

/** A recording in one object, or in lines: the header, then a step a line. */
function recording(text: string): Recording {
  const lines = text.split('\n').filter((l) => l.trim() !== '');
  if (lines.length < 2 || !lines[0]!.startsWith('{') || !lines[1]!.startsWith('{')) return new Recording(traceOf(parsed(text, 0)));
  const [head, ...steps] = lines.map(parsed);
  return new Recording(traceOf({ ...(head as object), steps }));
}

export function openText(name: string, text: string, address = '', beside = false): boolean {
  try {
    const o: Opened = { name, address, rec: recording(text), verified: '' };
    notice.value = '';
    if (beside && opened.value) { second.value = { name, rec: o.rec, part: parting(opened.value.rec, o.rec) }; return true; }
    second.value = undefined;
    opened.value = o;
    recordings.value = [o.rec];
    goto(0);
    return true;
  } catch (e) {
    notice.value = w('cannotOpen', { name, why: e instanceof Error ? e.message : String(e) });
    return false;
  }
}

export async function openFile(f: File | undefined, beside = false): Promise<void> {
  if (f) openText(f.name, await f.text(), '', beside);
}

/** Opens a recording of this site by its path below the root. */
export async function openAddress(up: string, path: string, name: string): Promise<boolean> {
  if (!/^a\/[\w.-]+\.json$/.test(path)) { notice.value = w('elsewhere'); return false; }
  const answer = await fetch(up + path);
  if (!answer.ok) { notice.value = w('cannotOpen', { name: path, why: `HTTP ${answer.status}` }); return false; }
  return openText(name, await answer.text(), path);
}

/** Two steps that part, -1 where a recording has none. */
export interface Part { a: number; b: number }

/** Where two recordings part: the first step of a that b has not, or has otherwise; identities count by first occurrence. */
function parting(a: Recording, b: Recording): Part | undefined {
  const [na, nb] = [normal(a), normal(b)];
  const of = new Map(b.trace.steps.map((s, i) => [s.id, i]));
  for (const s of a.trace.steps) {
    const other = of.get(s.id);
    if (other === undefined || na[s.i] !== nb[other]) return { a: s.i, b: other ?? -1 };
  }
  const mine = new Set(a.trace.steps.map((s) => s.id));
  return b.length > a.length ? { a: -1, b: b.trace.steps.findIndex((s) => !mine.has(s.id)) } : undefined;
}

function normal(r: Recording): string[] {
  const seen = new Map<string, string>();
  return r.trace.steps.map((s) => JSON.stringify([s.kind, s.entity, s.msg, s.diff?.filter((d) => d.path[0] !== 'view')])
    .replace(/(zxid|session|corr):(0x[0-9a-f]+|\d+)|time:\d+/g, (tag, kind: string | undefined) => {
      if (!seen.has(tag)) seen.set(tag, `${kind ?? 'time'}#${seen.size}`);
      return seen.get(tag)!;
    }));
}

/** Goes to a step, if there is one. */
export function show(i: number): void { if (i >= 0) goto(i); else goto(at.value); }
