// What a text holds when it is a JSON object, as the data of most znodes is.
import type { Value } from '../gen/trace.ts';

/** The fields of a text that is a JSON object; undefined when it is none, damaged data among it. */
export function fields(v: Value | undefined): Record<string, Value> | undefined {
  if (typeof v !== 'string' || !v.startsWith('{')) return undefined;
  try {
    return JSON.parse(v) as Record<string, Value>;
  } catch {
    return undefined;
  }
}
