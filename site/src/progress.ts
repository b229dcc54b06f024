// What this browser remembers of the lessons: answers, places, passed exercises. Other modules write their own keys.

const prefix = 'controllerscope.';

/** Where the reader left a lesson: stop n of all `of`, and how many predictions were right and wrong. */
export interface Place { n: number; of: number; right: number; wrong: number }
interface Places { last: string; at: Record<string, Place> }

/** The stored value of a key; undefined when there is none, when it is damaged, or when storage is denied. */
function read(key: string): Record<string, unknown> | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(prefix + key) ?? 'null');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function number(v: unknown): number { return typeof v === 'number' && Number.isInteger(v) && v >= 0 ? v : 0; }

export function places(): Places {
  const kept = read('places');
  const at: Record<string, Place> = {};
  for (const [id, p] of Object.entries((kept?.at ?? {}) as Record<string, Place>)) {
    if (typeof p === 'object' && p !== null) at[id] = { n: number(p.n), of: number(p.of), right: number(p.right), wrong: number(p.wrong) };
  }
  return { last: typeof kept?.last === 'string' ? kept.last : '', at };
}

/** Remembers where a lesson was left. */
export function leaveAt(lesson: string, place: Place): void {
  const p = places();
  try {
    localStorage.setItem(prefix + 'places', JSON.stringify({ last: lesson, at: { ...p.at, [lesson]: place } }));
  } catch { /* no memory: the lesson simply begins anew */ }
}

/** How many questions of a lesson were answered; skipped ones do not count. */
export function answered(lesson: string): number {
  return Object.values(read('answers.' + lesson) ?? {}).filter((v) => typeof v === 'string' && v !== '').length;
}

/** Whether the exercise of a lesson was passed (key passed: lesson to true). */
export function passed(lesson: string): boolean { return read('passed')?.[lesson] === true; }

/** Remembers that the exercise of a lesson was handed in with all its points. */
export function pass(lesson: string): void {
  try {
    localStorage.setItem(prefix + 'passed', JSON.stringify({ ...read('passed'), [lesson]: true }));
  } catch { /* no memory: the map does not show it */ }
}

const format = 'controllerscope/progress/1';

/** Everything remembered, as the text of a file; the theme stays with the browser. */
export function exportProgress(): string {
  const kept: Record<string, string> = {};
  for (let i = 0; i < localStorage.length; i++) {
    const key = localStorage.key(i)!;
    if (key.startsWith(prefix) && key !== prefix + 'theme') kept[key.slice(prefix.length)] = localStorage.getItem(key)!;
  }
  return JSON.stringify({ format, kept });
}

/** Takes over what a file remembers; false when it is no such file. */
export function importProgress(text: string): boolean {
  try {
    const file = JSON.parse(text) as { format?: unknown; kept?: Record<string, unknown> };
    if (file.format !== format || typeof file.kept !== 'object') return false;
    for (const [key, value] of Object.entries(file.kept)) {
      if (typeof value === 'string') localStorage.setItem(prefix + key, value);
    }
    return true;
  } catch {
    return false;
  }
}
