// The exercises, with their words in the reader's language; the page carries both.
export interface PartText { title: string; task: string; hints?: string[]; criteria: Record<string, { ask: string; missed: string }>; choices?: Record<string, string> }
export interface Criterion { id: string; points: number; choices?: { id: string }[]; ever?: string[]; end?: string; never?: string; mark?: string }
export interface Part { id: string; kind: 'drive' | 'value' | 'detect'; script?: string; operations?: number; criteria: Criterion[] }
export interface Exercise { id: string; version: number; parts: Part[] }
export interface Entry { lesson: string; lessonTitle: string; points: number; exercise: Exercise; text: { title: string; goal: string; parts: Record<string, PartText> } }
export interface Fill { words: Record<string, string>; entries: Entry[]; sandbox: Record<string, string> }

let all: Fill = { words: {}, entries: [], sandbox: {} };

export function use(fill: Fill): void { all = fill; }
export function entries(): Entry[] { return all.entries; }

export function x(key: string, params: Record<string, string | number> = {}): string {
  return (all.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
