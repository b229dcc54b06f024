// The exercises, with their words in the reader's language; the page carries both.
import { fill } from '../i18n.ts';

export interface PartText { title: string; task: string; hints?: string[]; criteria: Record<string, { ask: string; missed: string }>; choices?: Record<string, string> }
export interface Criterion { id: string; points: number; choices?: { id: string }[]; ever?: string[]; end?: string; never?: string; mark?: string }
export interface Part { id: string; kind: 'drive' | 'value' | 'detect'; script?: string; operations?: number; criteria: Criterion[] }
export interface Exercise { id: string; version: number; parts: Part[] }
export interface Entry { lesson: string; lessonTitle: string; points: number; exercise: Exercise; text: { title: string; goal: string; parts: Record<string, PartText> } }
export interface Fill { words: Record<string, string>; entries: Entry[]; sandbox: Record<string, string> }

let all: Fill = { words: {}, entries: [], sandbox: {} };

export function use(given: Fill): void { all = given; }
export function entries(): Entry[] { return all.entries; }

export function x(key: string, params: Record<string, string | number> = {}): string {
  return fill(all.words[key] ?? key, params);
}
