// The trace page's own words, and the recordings that stand ready.
export interface Ready { title: string; run: string; file: string }
export interface Fill { words: Record<string, string>; ready: Ready[] }

let all: Fill = { words: {}, ready: [] };

export function use(fill: Fill): void { all = fill; }
export function ready(): Ready[] { return all.ready; }

export function w(key: string, params: Record<string, string | number> = {}): string {
  return (all.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
