// State charts of partitions and replicas as the controller believes: a strip of counts, or both machines with tokens.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { icon, narrow } from '../dom.ts';
import { partitionMoves, replicaMoves } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import { acts, chartsPinned, type Scene } from '../state.ts';
import { shownController, type StateCode, states } from './scene.ts';

type Kind = 'partition' | 'replica';

/** Whether the charts are open: as the act says, unless the reader decided. */
export function chartsOpen(s: Scene): boolean {
  const pinned = chartsPinned.value;
  if (pinned !== undefined) return pinned;
  const mode = acts.value[s.stop?.act ?? 0]?.charts;
  return mode === 'open' || mode === 'first';
}

export function charts(s: Scene): TemplateResult {
  const open = narrow() || chartsOpen(s);
  const b = shownController(s);
  const toggle = html`<button class="toggle" aria-expanded=${open} @click=${() => { chartsPinned.value = !chartsOpen(s); }}>${t('charts')} ${icon('chevron', open ? 'up' : '')}</button>`;
  if (!open) {
    return html`<section class="charts strip" aria-label=${t('charts')}><span>${t('partitions')}</span>${counts(s, b, 'partition')}<span>${t('replicas')}</span>${counts(s, b, 'replica')}<span class="by">${t('believes')}</span>${toggle}</section>`;
  }
  return html`<section class="charts open" aria-label=${t('charts')}>${chart(s, b, 'partition')}${chart(s, b, 'replica')}${narrow() ? nothing : toggle}${table(s, b)}</section>`;
}

function counts(s: Scene, b: string | undefined, kind: Kind): TemplateResult {
  const names = b === undefined ? [] : s.doc.names('view', 'chart', b, kind);
  if (names.length === 0) return html`<span class="st none">${t('none')}</span>`;
  return html`${names.map((n) => html`<span class="st ${states[n]?.code}" title=${n}>${states[n]?.glyph} ${states[n]?.code} ${String(s.doc.get('view', 'chart', b!, kind, n))}</span>`)}`;
}

/** The same as a list, for those who do not see the drawing. */
function table(s: Scene, b: string | undefined): TemplateResult {
  if (b === undefined) return html``;
  return html`<div class="hidden">${(['partition', 'replica'] as const).map((kind) => html`<p>${t(kind === 'partition' ? 'partitions' : 'replicas')}: ${members(s, b, kind).map(([name, st]) => html`${name} ${states[st] ? t(states[st].code) : st}; `)}</p>`)}</div>`;
}

function members(s: Scene, b: string, kind: Kind): [string, string][] {
  const at = kind === 'partition' ? 'partitionStates' : 'replicaStates';
  return s.doc.names('ctx', b, at).map((n) => [n, s.doc.text('ctx', b, at, n)]);
}

const where: Record<Kind, Partial<Record<StateCode, readonly [number, number]>>> = {
  partition: { NX: [66, 108], NW: [66, 50], ON: [216, 50], OF: [216, 124] },
  replica: { NX: [64, 108], NW: [64, 50], ON: [208, 50], OF: [208, 124], DI: [352, 50], DS: [352, 124], DX: [488, 124] },
};
const half: Record<Kind, number> = { partition: 58, replica: 56 };

function chart(s: Scene, b: string | undefined, kind: Kind): TemplateResult {
  const width = kind === 'partition' ? 340 : 556;
  const moves = kind === 'partition' ? partitionMoves : replicaMoves;
  const { used, now, tokens } = moved(s, b, kind);
  return html`<div class="chart ${kind}"><h3>${t(kind === 'partition' ? 'partitions' : 'replicas')}</h3>
    <svg viewBox="0 18 ${width} 148" role="img" aria-label=${t(kind === 'partition' ? 'partitions' : 'replicas')}>
    <defs><marker id="tip-${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M1 1 7 4 1 7" fill="none" stroke="context-stroke" stroke-width="1.5"/></marker></defs>
    ${moves.map(([from, to]) => edge(kind, codeOf(from), codeOf(to), now.has(from + to) ? 'now' : used.has(from + to) ? 'used' : ''))}
    ${(Object.keys(where[kind]) as StateCode[]).map((c) => node(s, b, kind, c))}
    ${tokens.slice(0, 3).map((tk, i) => token(kind, tk.name, tk.to, i))}</svg></div>`;
}

function codeOf(name: string): StateCode { return states[name]!.code; }

/** The moves that the recording made up to here, those of this step, and who made them. */
function moved(s: Scene, b: string | undefined, kind: Kind): { used: Set<string>; now: Set<string>; tokens: { name: string; to: StateCode }[] } {
  const at = kind === 'partition' ? 'partitionStates' : 'replicaStates';
  const used = new Set<string>();
  const now = new Set<string>();
  const tokens: { name: string; to: StateCode }[] = [];
  const first = kind === 'partition' ? 'NonExistentPartition' : 'NonExistentReplica';
  for (let i = 0; i <= s.at; i++) {
    for (const d of s.rec.step(i)?.diff ?? []) {
      if (d.path[0] !== 'ctx' || d.path[1] !== b || d.path[2] !== at || d.after === undefined) continue;
      const key = String(d.before ?? first) + String(d.after);
      used.add(key);
      if (i === s.at) {
        now.add(key);
        tokens.push({ name: d.path[3]!, to: codeOf(String(d.after)) });
      }
    }
  }
  return { used, now, tokens };
}

/** Edges run between the borders of the boxes; those of a pair stand 6 apart. */
function edge(kind: Kind, from: StateCode, to: StateCode, cls: string): TemplateResult | typeof nothing {
  const a = where[kind][from];
  const z = where[kind][to];
  if (!a || !z || from === to) return nothing;
  const w = half[kind];
  let d: string;
  if (from === 'OF' && to === 'NX') d = `M${a[0] - w} ${a[1] + 4}H${z[0]}V${z[1] + 15}`;
  else if (from === 'DX') d = `M${a[0]} ${a[1] + 15}V156H${z[0]}V${z[1] + 15}`;
  else if (a[0] === z[0]) {
    const off = a[1] < z[1] ? -6 : 6;
    d = `M${a[0] + off} ${a[1] + (a[1] < z[1] ? 15 : -15)}V${z[1] + (a[1] < z[1] ? -15 : 15)}`;
  } else if (a[1] === z[1]) d = a[0] < z[0] ? `M${a[0] + w} ${a[1]}H${z[0] - w}` : `M${a[0] - w} ${a[1]}H${z[0] + w}`;
  else {
    const right = a[0] < z[0];
    const down = a[1] < z[1];
    const off = down ? 0 : 10;
    d = `M${a[0] + (right ? w - 22 : 22 - w) + off} ${a[1] + (down ? 15 : -15)}L${z[0] + (right ? 22 - w : w - 22) + off} ${z[1] + (down ? -15 : 15)}`;
  }
  return svg`<path d=${d} data-move=${from + to} class="edge ${cls}" marker-end="url(#tip-${kind})"/>` as TemplateResult;
}

function node(s: Scene, b: string | undefined, kind: Kind, c: StateCode): TemplateResult {
  const [x, y] = where[kind][c]!;
  const name = Object.keys(states).find((n) => states[n]!.code === c && n.endsWith(kind === 'partition' ? 'Partition' : 'Replica')) ?? Object.keys(states).find((n) => states[n]!.code === c)!;
  const n = b === undefined ? 0 : Number(s.doc.get('view', 'chart', b, kind, name) ?? 0);
  const w = half[kind];
  return svg`<g class="node ${n > 0 ? c : 'zero'}"><rect x=${x - w} y=${y - 14} width=${2 * w} height="28" rx="6"/><text x=${x - w + 6} y=${y + 4}><tspan>${states[name]!.glyph}</tspan><tspan dx="4" class="code">${c}</tspan><tspan dx="3">${n > 0 && t(c).length > 8 ? '' : t(c)}</tspan></text>${n > 0 ? svg`<text x=${x + w - 8} y=${y + 4} text-anchor="end" class="n">${n}</text>` : nothing}</g>` as TemplateResult;
}

function token(kind: Kind, name: string, to: StateCode, i: number): TemplateResult {
  const [x, y] = where[kind][to]!;
  const w = 20 + name.length * 7.4;
  return svg`<g class="token ${to}"><rect x=${x + 34} y=${y + 18 + i * 26} width=${w} height="22" rx="11"/><text x=${x + 34 + w / 2} y=${y + 33 + i * 26} text-anchor="middle">${name}</text></g>` as TemplateResult;
}
