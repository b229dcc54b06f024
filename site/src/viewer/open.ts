// Opens recordings: files in any form that the command line writes, lessons' recordings, saved runs. Nothing is uploaded.
import { signal } from '@preact/signals-core';
import type { Trace } from '../gen/trace.ts';
import { readTrace, Recording } from '../record.ts';
import { at, goto, notice, recordings } from '../state.ts';
import { w } from './words.ts';

/** What is open: a name, where it comes from when it has an address, and what replaying it came to. */
export interface Opened { name: string; address: string; rec: Recording; verified: '' | 'same' | 'differs' }

export const opened = signal<Opened | undefined>(undefined);
export const second = signal<Opened | undefined>(undefined);

/** JSON lines as one object: the header with the steps. */
function whole(text: string): string {
  const lines = text.split('\n').filter((l) => l.trim() !== '');
  if (lines.length < 2 || !lines[0]!.startsWith('{') || !lines[1]!.startsWith('{')) return text;
  const parsed = lines.map((l, i) => {
    try {
      return JSON.parse(l) as Partial<Trace>;
    } catch (e) {
      throw new Error(w('badLine', { n: i + 1, why: (e as Error).message }));
    }
  });
  return JSON.stringify({ ...parsed[0], steps: parsed.slice(1) });
}

/** The line and column of the place that a JSON parser complains of. */
function place(text: string, e: Error): string {
  const position = /position (\d+)/.exec(e.message)?.[1];
  if (position === undefined) return e.message;
  const before = text.slice(0, Number(position)).split('\n');
  return w('badLine', { n: before.length, why: e.message });
}

function recording(text: string): Recording {
  const one = whole(text);
  try {
    JSON.parse(one);
  } catch (e) {
    throw new Error(place(one, e as Error));
  }
  return new Recording(readTrace(one));
}

export function openText(name: string, text: string, address = '', beside = false): boolean {
  try {
    const o: Opened = { name, address, rec: recording(text), verified: '' };
    notice.value = '';
    if (beside) { second.value = o; return true; }
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

/** Where two recordings part: the first step of a that b has not, or has otherwise; identities count by first occurrence. */
export function parting(a: Recording, b: Recording): { a: number; b: number } | undefined {
  const [na, nb] = [normal(a), normal(b)];
  const of = new Map(b.trace.steps.map((s, i) => [s.id, i]));
  for (const s of a.trace.steps) {
    const other = of.get(s.id);
    if (other === undefined || na[s.i] !== nb[other]) return { a: s.i, b: other ?? -1 };
  }
  return b.length > a.length ? { a: -1, b: b.trace.steps.findIndex((s) => !a.trace.steps.some((x) => x.id === s.id)) } : undefined;
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
