// The causes of a step.
import type { Recording } from './record.ts';

/**
 * The steps from an operation from outside to step `to`, both included, on the shortest way of causes: of all operations
 * that have a part in it the latest, else the latest of what began by itself.
 */
export function wayTo(rec: Recording, to: number): number[] {
  const next = new Map<number, number>([[to, -1]]);
  const wait = [to];
  let root = -1;
  let outside = false;
  for (let k = 0; k < wait.length; k++) {
    const i = wait[k]!;
    const s = rec.step(i)!;
    const op = s.lane === 'admin';
    if (!s.causes?.length && (op === outside ? i > root : op)) [root, outside] = [i, op];
    for (const c of [...(s.causes ?? [])].sort((a, b) => b - a)) {
      if (next.has(c)) continue;
      next.set(c, i);
      wait.push(c);
    }
  }
  const out: number[] = [];
  for (let i = root; i >= 0; i = next.get(i) ?? -1) out.push(i);
  return out;
}
