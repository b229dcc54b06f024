// Where a value comes from: the same steps as package trace answers (why.go); pages work from a recording, without the core.
import type { Step } from './gen/trace.ts';
import type { Recording } from './record.ts';
import { wayTo } from './causes.ts';

type Path = readonly string[];

/** Whether one path leads to the other. */
function covers(a: Path, b: Path): boolean {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The last step up to `to` that wrote path, something below it, or the leaf it leads into. */
export function writerOf(r: Recording, path: Path, to: number): Step | undefined {
  return r.findBack(to, 0, (s) => (s.diff ?? []).some((d) => covers(d.path, path)));
}

function speaksOf(s: Step, path: Path | undefined, entity: string | undefined): boolean {
  if (entity && s.entity === entity) return true;
  if (!path) return false;
  return (s.reads ?? []).some((p) => covers(p, path)) || (s.diff ?? []).some((d) => covers(d.path, path));
}

/** Whether `writer` wrote a fact that `reader` was decided from. */
function told(r: Recording, reader: Step, writer: Step): boolean {
  return (reader.reads ?? []).some((p) => writerOf(r, p, reader.i - 1)?.i === writer.i);
}

/**
 * The chain from a step to the outside operation that led to it, newest first. What a thread only did in between is left
 * out: a step stays when one that stays was decided from what it wrote, when something reached it from another lane or left
 * it for one, and when it speaks of what was asked.
 */
export function whyOf(r: Recording, first: Step, path: Path | undefined): Step[] {
  const all = wayTo(r, first.i).reverse().map((i) => r.step(i)!);
  const kept = all.slice(0, 1);
  let before: boolean = true;
  for (let i = 1; i < all.length; i++) {
    const s = all[i]!;
    const last = i === all.length - 1;
    const crosses = s.lane !== all[i - 1]!.lane || (!last && s.lane !== all[i + 1]!.lane);
    const fact: boolean = before && told(r, all[i - 1]!, s);
    before = last || crosses || fact || speaksOf(s, path, first.entity);
    if (before) kept.push(s);
  }
  return kept;
}
