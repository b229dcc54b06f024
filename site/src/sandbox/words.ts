// The sandbox's own words; the page carries them, so that lessons need not load them.
import { fill } from '../i18n.ts';

export interface Fill { words: Record<string, string>; invariants: { name: string; sentence: string }[]; presets: Preset[] }

/** A world to begin with, and what to try in it. */
export interface Preset { id: string; title: string; about: string; setup: string; often?: { line: string; times: number }; script: string }

let all: Fill = { words: {}, invariants: [], presets: [] };

export function use(given: Fill): void { all = given; }

export function w(key: string, params: Record<string, string | number> = {}): string {
  return fill(all.words[key] ?? key, params);
}

export function presets(): Preset[] { return all.presets; }
export function invariants(): Fill['invariants'] { return all.invariants; }
