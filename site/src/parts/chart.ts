// Both state machines drawn: with what moved, or (charts first) with everybody on them; beside each the same as text. And
// replicas counted by state, for brokers that have too many to name them.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { partitionMoves, replicaMoves } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import type { Recording } from '../record.ts';
import type { Scene } from '../state.ts';
import type { Kind } from './charts.ts';
import { codeOf, type StateCode, states } from './scene.ts';

type Mode = 'open' | 'first';

export function machines(s: Scene, b: string | undefined, mode: Mode): TemplateResult {
  return html`${chart(s, b, 'partition', mode)}${chart(s, b, 'replica', mode)}${table(s, b)}`;
}

const field = (kind: Kind): string => (kind === 'partition' ? 'partitionStates' : 'replicaStates');
const movesOf = (kind: Kind): readonly (readonly [string, string])[] => (kind === 'partition' ? partitionMoves : replicaMoves);

function members(s: Scene, b: string, kind: Kind): [string, string][] {
  return s.doc.names('ctx', b, field(kind)).map((n) => [n, s.doc.text('ctx', b, field(kind), n)]);
}

/** Above this many members the list says counts only. */
const listed = 40;

/** The same as text, for those who do not see the drawing: who is in which state and where it may go from there. */
function table(s: Scene, b: string | undefined): TemplateResult | typeof nothing {
  if (b === undefined) return nothing;
  const word = (st: string): string => (states[st] ? t(states[st].code) : st);
  const next = (kind: Kind, st: string): string => movesOf(kind).filter(([from, to]) => from === st && to !== st).map(([, to]) => word(to)).join(', ');
  return html`<div class="hidden">${(['partition', 'replica'] as const).map((kind) => {
    const all = members(s, b, kind);
    const lines = all.length > listed ? s.doc.names('view', 'chart', b, kind).map((st) => `${word(st)} ${s.doc.text('view', 'chart', b, kind, st)}`)
      : all.map(([name, st]) => `${name}: ${t('stateNext', { state: word(st), next: next(kind, st) })}`);
    return html`<p>${t(kind === 'partition' ? 'partitions' : 'replicas')}: ${lines.join('; ')}</p>`;
  })}</div>`;
}

type Spots = Partial<Record<StateCode, readonly [number, number]>>;
/** Centres of the boxes, in the open and the large form. */
const where: Record<'open' | 'first', Record<Kind, Spots>> = {
  open: { partition: { NX: [66, 108], NW: [66, 50], ON: [216, 50], OF: [216, 124] },
    replica: { NX: [64, 108], NW: [64, 50], ON: [208, 50], OF: [208, 124], DI: [352, 50], DS: [352, 124], DX: [488, 124] } },
  first: { partition: { NX: [70, 134], NW: [70, 56], ON: [240, 56], OF: [240, 190] },
    replica: { NX: [66, 134], NW: [66, 56], ON: [206, 56], OF: [206, 170], DI: [352, 56], DS: [352, 170], DX: [490, 170] } },
};
const half: Record<Kind, number> = { partition: 58, replica: 56 };

interface Moved { used: Set<string>; now: Set<string>; who: Map<string, string> }
interface Change { i: number; key: string; name: string; to: string }
const changes = new WeakMap<Recording, Map<string, Change[]>>();

/** All moves of a recording between states of a machine of controller b, in order. */
function changesOf(rec: Recording, b: string | undefined, kind: Kind): Change[] {
  const known = changes.get(rec) ?? new Map<string, Change[]>();
  changes.set(rec, known);
  const name = `${b} ${kind}`;
  let list = known.get(name);
  if (list) return list;
  list = [];
  const first = kind === 'partition' ? 'NonExistentPartition' : 'NonExistentReplica';
  for (let i = 0; i < rec.length; i++) {
    for (const d of rec.step(i)?.diff ?? []) {
      if (d.path[0] !== 'ctx' || d.path[1] !== b || d.path[2] !== field(kind) || d.after === undefined) continue;
      list.push({ i, key: codeOf(String(d.before ?? first)) + codeOf(String(d.after)), name: d.path[3]!, to: String(d.after) });
    }
  }
  known.set(name, list);
  return list;
}

/** The edges that the recording has used up to here, those of this step, and who moved on them. */
function moved(s: Scene, b: string | undefined, kind: Kind): Moved {
  const out: Moved = { used: new Set(), now: new Set(), who: new Map() };
  for (const c of changesOf(s.rec, b, kind)) {
    if (c.i > s.at) break;
    out.used.add(c.key);
    if (c.i === s.at && !s.hidden) {
      out.now.add(c.key);
      out.who.set(c.name, c.to);
    }
  }
  return out;
}

function chart(s: Scene, b: string | undefined, kind: Kind, mode: Mode): TemplateResult {
  const width = kind === 'partition' ? 340 : 556;
  const m = moved(s, b, kind);
  const spots = where[mode][kind];
  const codes = Object.keys(spots) as StateCode[];
  return html`<div class="chart ${kind}"><h3>${t(kind === 'partition' ? 'partitions' : 'replicas')}</h3>
    <svg viewBox=${mode === 'open' ? `0 18 ${width} 148` : `0 24 ${width} 216`} role="img" aria-label=${t(kind === 'partition' ? 'partitions' : 'replicas')}>
    <defs><marker id="tip-${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M1 1 7 4 1 7" fill="none" stroke="context-stroke" stroke-width="1.5"/></marker>
    <pattern id="hatch-${kind}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="ground" d="M0 0H7V7H0Z"/><path class="hatch" d="M6 0V7"/></pattern></defs>
    ${movesOf(kind).map(([from, to]) => edge(kind, spots, codeOf(from), codeOf(to), mode === 'open' ? 156 : 232, m))}
    ${codes.map((c) => node(s, b, kind, spots, c, mode))}
    ${mode === 'open' ? [...m.who].slice(0, 3).map(([name, to], i) => token(name, codeOf(to), Math.min(spots[codeOf(to)]![0] + 34, width - 4 - wide(name)), spots[codeOf(to)]![1] + 18 + i * 26, true))
      : codes.map((c) => crowd(s, b, kind, spots, c, m))}</svg></div>`;
}

/** Where an edge leaves and arrives, so that no two of them meet: distances from the centres, by the two states. */
const ports: Record<string, readonly [number, number]> = { NWOF: [34, -40], ONOF: [36, 36], OFON: [48, 48], DSDI: [44, 44] };

function edge(kind: Kind, spots: Spots, from: StateCode, to: StateCode, bottom: number, m: Moved): TemplateResult | typeof nothing {
  const [a, z] = [spots[from], spots[to]];
  if (!a || !z || from === to) return nothing;
  const w = half[kind];
  const down = a[1] < z[1] ? 15 : -15;
  const port = ports[from + to];
  let d: string;
  if (from === 'OF' && to === 'NX') d = `M${a[0] - w} ${a[1] + 4}H${z[0]}V${z[1] + 15}`;
  else if (from === 'DX') d = `M${a[0]} ${a[1] + 15}V${bottom}H${z[0]}V${z[1] + 15}`;
  else if (from === 'DI' && to === 'OF') d = `M${a[0] - w + 12} ${a[1] + 15}L${z[0] + w} ${z[1] - 9}`;
  else if (from === 'OF' && to === 'DI') d = `M${a[0] + w} ${a[1] - 1}L${z[0] - w + 32} ${z[1] + 15}`;
  else if (from === 'OF' && to === 'DS') d = `M${a[0] + w} ${a[1] + 8}H${z[0] - w}`;
  else if (port) d = `M${a[0] + port[0]} ${a[1] + down}L${z[0] + port[1]} ${z[1] - down}`;
  else if (a[0] === z[0]) d = `M${a[0]} ${a[1] + down}V${z[1] - down}`;
  else d = a[0] < z[0] ? `M${a[0] + w} ${a[1]}H${z[0] - w}` : `M${a[0] - w} ${a[1]}H${z[0] + w}`;
  return svg`<path d=${d} data-move=${from + to} class="edge ${m.now.has(from + to) ? 'now' : m.used.has(from + to) ? 'used' : ''}" marker-end="url(#tip-${kind})"/>` as TemplateResult;
}

/** The document's name of a state of a machine. */
function stateName(kind: Kind, c: StateCode): string {
  const all = Object.keys(states).filter((n) => states[n]!.code === c);
  return all.find((n) => n.endsWith(kind === 'partition' ? 'Partition' : 'Replica')) ?? all[0]!;
}

function node(s: Scene, b: string | undefined, kind: Kind, spots: Spots, c: StateCode, mode: Mode): TemplateResult {
  const [x, y] = spots[c]!;
  const name = stateName(kind, c);
  const n = b === undefined ? 0 : Number(s.doc.get('view', 'chart', b, kind, name) ?? 0);
  const w = half[kind];
  const counted = n > 0 && mode === 'open';
  return svg`<g class="node ${n > 0 ? c : 'zero'}"><rect x=${x - w} y=${y - 14} width=${2 * w} height="28" rx="6"/><text x=${x - w + 6} y=${y + 4}><tspan>${states[name]!.glyph}</tspan><tspan dx="4" class="code">${c}</tspan><tspan dx="3">${counted && t(c).length > 8 ? '' : t(c)}</tspan></text>${counted ? svg`<text x=${x + w - 8} y=${y + 4} text-anchor="end" class="n">${n}</text>` : nothing}</g>` as TemplateResult;
}

/** The width of a token: its glyph, its name and round ends. */
const wide = (name: string): number => 34 + name.length * 7.4;

function token(name: string, c: StateCode, x: number, y: number, now: boolean): TemplateResult {
  const w = wide(name);
  const glyph = Object.values(states).find((st) => st.code === c)!.glyph;
  return svg`<g class="token ${c} ${now ? 'now' : ''}"><rect x=${x} y=${y} width=${w} height="22" rx="11"/><text x=${x + w / 2} y=${y + 15} text-anchor="middle">${glyph} ${name}</text></g>` as TemplateResult;
}

/** Who is in a state: those that moved now by name, others by topic; what there is no room for as a number. */
function crowd(s: Scene, b: string | undefined, kind: Kind, spots: Spots, c: StateCode, m: Moved): TemplateResult | typeof nothing {
  if (b === undefined || !s.doc.has('view', 'chart', b, kind, stateName(kind, c))) return nothing;
  const here = members(s, b, kind).filter(([, st]) => st === stateName(kind, c)).map(([n]) => n);
  const fresh = here.filter((n) => m.who.has(n));
  const topics = new Map<string, string[]>();
  for (const n of here.filter((n) => !m.who.has(n))) {
    const topic = n.slice(0, n.lastIndexOf('-'));
    topics.set(topic, [...(topics.get(topic) ?? []), n]);
  }
  const labels = [...fresh.map((n) => ({ text: n, now: true })), ...[...topics].map(([topic, all]) => ({ text: all.length === 1 ? all[0]! : `${topic} ×${all.length}`, now: false }))];
  const room = spots[c]![1] < 100 ? 3 : c === 'NX' ? 3 : 2;
  const shown = labels.length > room ? labels.slice(0, room - 1) : labels;
  const rest = here.length - shown.reduce((n, l) => n + Number(/×(\d+)$/.exec(l.text)?.[1] ?? 1), 0);
  if (rest > 0) shown.push({ text: `+${rest}`, now: false });
  const [x, y] = spots[c]!;
  return svg`${shown.map((l, i) => token(l.text, c, c === 'DI' ? x + half[kind] + 8 - wide(l.text) : x - half[kind], y + 19 + i * 25, l.now))}` as TemplateResult;
}

/** The replicas of a broker that has too many to name: how many are in each state, lead, and are not there or else in the ISR. */
export function replicaCounts(s: Scene, x: string, up: boolean): TemplateResult {
  const of = new Map<string, number>();
  let [all, leaders, outside, missing] = [0, 0, 0, 0];
  for (const tp of s.doc.words('view', 'chip', x)) {
    const r = s.doc.record('view', 'chip', x, tp) ?? {};
    const listed = r.zk === true || r.ctl === true;
    all++;
    if (r.state !== undefined && states[String(r.state)]) of.set(String(r.state), (of.get(String(r.state)) ?? 0) + 1);
    if (r.role === 'leader') leaders++;
    if (listed && r.isr !== true) outside++;
    if (listed && up && r.role === '') missing++;
  }
  const inOrder = Object.keys(states).filter((name) => of.has(name));
  return html`<li class="topic">${inOrder.length ? inOrder.map((name) => html`<b class="st ${codeOf(name)}" title=${t(codeOf(name))}>${states[name]!.glyph} ${codeOf(name)} ${of.get(name)}</b>`) : html`<b class="st none">${all}</b>`}
    ${leaders ? html`<b class="st none" title=${t('leader')}>★ ${leaders}<span class="hidden">${t('leader')}</span></b>` : nothing}${missing ? html`<span title="${t('notHosted')} ${missing}">${t('notHosted')} ${missing}</span>` : outside ? html`<span title="${t('outIsr')} ${outside}">ISR ${all - outside}/${all}</span>` : nothing}</li>`;
}
