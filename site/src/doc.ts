// The world document in the page: a tree of words with values at its leaves, moved back and forth by diffs. It knows
// nothing of what the words mean.
import type { Diff, Value } from './gen/trace.ts';

type Inner = Map<string, Inner | Leaf>;
class Leaf {
  value: Value;
  constructor(value: Value) { this.value = value; }
}

export class Doc {
  private root: Inner = new Map();

  private find(path: readonly string[]): Inner | Leaf | undefined {
    let at: Inner | Leaf | undefined = this.root;
    for (const word of path) {
      if (!(at instanceof Map)) return undefined;
      at = at.get(word);
    }
    return at;
  }

  /** Another document with the same values: they are replaced, never changed, and may stand in both. */
  copy(): Doc {
    const copied = (at: Inner): Inner => {
      const out: Inner = new Map();
      for (const [k, v] of at) out.set(k, v instanceof Leaf ? new Leaf(v.value) : copied(v));
      return out;
    };
    const out = new Doc();
    out.root = copied(this.root);
    return out;
  }

  /** The value of the leaf at path; undefined when nothing or a subtree is there. */
  get(...path: string[]): Value | undefined {
    const at = this.find(path);
    return at instanceof Leaf ? at.value : undefined;
  }

  has(...path: string[]): boolean { return this.find(path) !== undefined; }

  /** The words that follow path, sorted; numbers as numbers. */
  names(...path: string[]): string[] {
    const at = this.find(path);
    return at instanceof Map ? [...at.keys()].sort(natural) : [];
  }

  /** The same, as they come. */
  words(...path: string[]): Iterable<string> {
    const at = this.find(path);
    return at instanceof Map ? at.keys() : [];
  }

  count(...path: string[]): number {
    const at = this.find(path);
    return at instanceof Map ? at.size : 0;
  }

  text(...path: string[]): string {
    const v = this.get(...path);
    return v === undefined ? '' : String(v);
  }

  record(...path: string[]): Record<string, Value> | undefined {
    const v = this.get(...path);
    return typeof v === 'object' && v !== null && !Array.isArray(v) ? (v as Record<string, Value>) : undefined;
  }

  /** Writes a leaf, or with undefined takes it away; the value it had. */
  set(path: readonly string[], value: Value | undefined): Value | undefined {
    if (value === undefined) return this.remove(path);
    const end = path.length - 1;
    let at = this.root;
    for (let i = 0; i < end; i++) {
      let next = at.get(path[i]!);
      if (!(next instanceof Map)) at.set(path[i]!, next = new Map());
      at = next;
    }
    const was = at.get(path[end]!);
    if (was instanceof Leaf) {
      const before = was.value;
      was.value = value;
      return before;
    }
    at.set(path[end]!, new Leaf(value));
    return undefined;
  }

  private remove(path: readonly string[]): Value | undefined {
    const way: Inner[] = [this.root];
    for (const word of path.slice(0, -1)) {
      const next = way[way.length - 1]!.get(word);
      if (!(next instanceof Map)) return undefined;
      way.push(next);
    }
    const was = way[path.length - 1]!.get(path[path.length - 1]!);
    for (let i = path.length - 1; i >= 0; i--) {
      way[i]!.delete(path[i]!);
      if (way[i]!.size > 0) break;
    }
    return was instanceof Leaf ? was.value : undefined;
  }

  apply(diff: readonly Diff[] = []): void {
    for (const d of diff) this.set(d.path, d.after);
  }

  revert(diff: readonly Diff[] = []): void {
    for (let i = diff.length - 1; i >= 0; i--) this.set(diff[i]!.path, diff[i]!.before);
  }

  /** Every leaf in sorted order, one per line: the text that tests compare. */
  dump(): string {
    const out: string[] = [];
    const walk = (at: Inner, path: string[]): void => {
      for (const name of [...at.keys()].sort()) {
        const kid = at.get(name)!;
        if (kid instanceof Leaf) out.push(JSON.stringify([...path, name]) + ' ' + JSON.stringify(kid.value));
        else walk(kid, [...path, name]);
      }
    };
    walk(this.root, []);
    return out.join('\n');
  }
}

const digit = (c: string | undefined): boolean => c !== undefined && c >= '0' && c <= '9';

/** Orders words by their characters, but e2 comes before e10. Intl.Collator takes longer to make than a page to begin. */
export function natural(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  while (digit(a[i - 1])) i--;
  const apart = digit(a[i]) && digit(b[i]) ? parseInt(a.slice(i), 10) - parseInt(b.slice(i), 10) : 0;
  return apart || (a < b ? -1 : a > b ? 1 : 0);
}
