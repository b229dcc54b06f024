// The trace page's own words, and the recordings that stand ready.
import { fill } from '../i18n.ts';

export interface Ready { title: string; run: string; file: string }
export interface Fill { words: Record<string, string>; ready: Ready[] }

let all: Fill = { words: {}, ready: [] };

export function use(given: Fill): void { all = given; }
export function ready(): Ready[] { return all.ready; }

export function w(key: string, params: Record<string, string | number> = {}): string {
  return fill(all.words[key] ?? key, params);
}
