// The packed form of a trace (package trace of the core documents it): what is left out is worked out here.
import { Doc } from './doc.ts';
import type { Diff, Step, Trace, Value } from './gen/trace.ts';

export const newestPacking = 1;

type Tree = Value | { [word: string]: Tree };
type PackedDiff = [path: [sharedOrWord: number | string, ...words: string[]], after?: Value];
type PackedStep = Omit<Step, 'i' | 'id' | 'vtime_ms' | 'diff'> & { vtime_ms?: number; diff?: PackedDiff[] };
type Packed = Omit<Trace, 'initial' | 'steps'> & { packed: number; initial: Tree; steps: PackedStep[] };

/** The whole trace, or the number of the first step that does not fit the one before. */
export function unpack(raw: unknown): Trace | number {
  const { packed, initial: tree, steps: short, ...header } = raw as Packed;
  const initial = leaves(tree, [], []);
  const doc = new Doc();
  doc.apply(initial);
  const lanes = new Map<string, number>();
  const steps: Step[] = [];
  let vtime = 0;
  for (const [i, s] of short.entries()) {
    if (typeof s?.lane !== 'string') return i;
    const diff: Diff[] = [];
    let path: string[] = [];
    for (const d of s.diff ?? []) {
      if (!Array.isArray(d) || !Array.isArray(d[0])) return i;
      const [[first, ...words], after] = d;
      path = typeof first === 'number' ? [...path.slice(0, first), ...words] : [first, ...words];
      const before = doc.set(path, after);
      if (before === undefined && after === undefined) return i;
      const entry: Diff = { path };
      if (before !== undefined) entry.before = before;
      if (after !== undefined) entry.after = after;
      diff.push(entry);
    }
    const n = (lanes.get(s.lane) ?? 0) + 1;
    lanes.set(s.lane, n);
    vtime += s.vtime_ms ?? 0;
    const whole: Step = { ...s, i, id: s.lane + '#' + n, vtime_ms: vtime, diff };
    if (diff.length === 0) delete whole.diff;
    if (s.causes) whole.causes = s.causes.map((back) => i - back);
    steps.push(whole);
  }
  return { ...header, initial, steps };
}

/** The leaves of a tree in sorted order: every object is an inner node, a list holds one value that is a list or a record. */
function leaves(at: Tree, path: string[], out: Diff[]): Diff[] {
  if (Array.isArray(at)) out.push({ path, after: at[0]! });
  else if (typeof at !== 'object' || at === null) out.push({ path, after: at });
  else for (const word of Object.keys(at).sort()) leaves(at[word]!, [...path, word], out);
  return out;
}
