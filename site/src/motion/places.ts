// Where things stand on the page: a place is a kind and what it is of ("row /controller", "star orders-0").

export type Place = readonly [kind: string, ...of: string[]];

/** What is not on the page. */
export const nowhere: Place = ['nowhere'];

/** A rectangle of the window. */
export interface Box { x: number; y: number; w: number; h: number }

const q = (s: string): string => CSS.escape(s);

/** The selectors of a place, the best first. */
function selectors([kind, a = '', b = '', c = '']: Place): string[] {
  const row = `.row[data-path="${q(a)}"]`;
  const slot = `.slot[data-b="${q(a)}"]`;
  switch (kind) {
    case 'row': return [`${row} .zk`, '.ledger .row.more .zk'];
    case 'value': return [`${row} .zk .val`];
    case 'bell': return [`${row} .bell`, `${row} .name`, '.ledger .row.more .zk'];
    case 'belief': return [`${row} .bl[data-b="${q(b)}"]`, `${row} .bl`];
    case 'mind': return [`.tcard[data-b="${q(a)}"]`, `${slot} .card`, `.ring[data-client="${q(a)}"] svg`];
    case 'tail': return [`.queue[data-b="${q(a)}"] li:last-child`];
    case 'head': return [`.queue[data-b="${q(a)}"] li`, `.queue[data-b="${q(a)}"]`];
    case 'tray': return [`${slot} .tray`, `${slot} .below .req`, `${slot} .branch`];
    case 'wire': return [`${slot} .req.wire`, `${slot} .shield`];
    case 'shield': return [`${slot} .shield`];
    case 'card': return [`${slot} .card`, `.ring[data-client="${q(a)}"] svg`];
    case 'chip': return [`${slot} [data-tp="${q(b)}"]`];
    case 'star': return [`.rep[data-tp="${q(a)}"] .star`, `.tok.lead[data-tp="${q(a)}"]`];
    case 'ring': return [`.ring[data-client="${q(a)}"] svg`];
    case 'edge': return [`.chart.${q(a)} path[data-move="${q(b + c)}"]`];
    case 'notice': return [`.notice-of[data-path="${q(a)}"]`];
    case 'clock': return [`.clock[data-b="${q(a)}"] svg`];
    case 'when': return ['.score .when', '.top .count'];
    default: return [];
  }
}

/** The element of a place, if it is drawn and can be seen. */
export function find(p: Place): Element | undefined {
  const app = document.getElementById('app');
  for (const s of selectors(p)) {
    const el = app?.querySelector(s);
    if (el && el.getClientRects().length > 0) return el;
  }
  return undefined;
}

export function boxOf(el: Element | undefined): Box | undefined {
  if (!el) return undefined;
  const r = el.getBoundingClientRect();
  return { x: r.x, y: r.y, w: r.width, h: r.height };
}
