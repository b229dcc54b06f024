// The sandbox's own words; the page carries them, so that lessons need not load them.
export interface Fill { words: Record<string, string>; invariants: { name: string; sentence: string }[]; presets: Preset[] }

/** A world to begin with, and what to try in it. */
export interface Preset { id: string; title: string; about: string; setup: string; script: string }

let all: Fill = { words: {}, invariants: [], presets: [] };

export function use(fill: Fill): void { all = fill; }

export function w(key: string, params: Record<string, string | number> = {}): string {
  return (all.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}

export function presets(): Preset[] { return all.presets; }
export function invariants(): Fill['invariants'] { return all.invariants; }
