// Helpers of the pages that stand complete without a script: they only fill and show what is there.

/** The element of a part of a page that carries data-is. */
export function part<E extends Element = HTMLElement>(root: ParentNode, name: string): E { return root.querySelector<E>(`[data-is="${name}"]`)!; }

/** Fills the gaps {name} of a text. */
export function fill(text: string, params: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}

/** Whether nothing should move by itself. */
export function still(): boolean { return matchMedia('(prefers-reduced-motion: reduce)').matches; }
