// What several pictures need to know of the shown step.
import { narrow } from '../dom.ts';
import type { Value } from '../gen/trace.ts';
import type { Recording } from '../record.ts';
import { chosen, type Scene } from '../state.ts';

/** Names below view/… that the step changed: touched(s, 'row') are znodes, touched(s, 'chip', '2') partitions. */
export function touched(s: Scene, ...under: string[]): Set<string> {
  const out = new Set<string>();
  for (const d of s.step?.diff ?? []) {
    if (d.path[0] === 'view' && under.every((w, i) => d.path[i + 1] === w)) out.add(d.path[under.length + 1] ?? '');
  }
  return out;
}

/** The broker whose thread and beliefs are shown: the reader's choice, the lead, else who acts in this step. */
export function shownController(s: Scene): string | undefined {
  const pick = chosen.value;
  if (pick !== undefined && s.doc.has('ctl', pick)) return pick;
  const lead = s.doc.get('view', 'lead');
  if (lead !== undefined) return String(lead);
  const acting = s.rec.findBack(s.at, s.at - 200, (x) => s.doc.has('ctl', processOf(x.lane)));
  return acting ? processOf(acting.lane) : s.doc.names('ctl')[0];
}

/**
 * The two who think that they are the controller, the one whose beliefs come first before the other. Undefined with fewer
 * of them, on a phone, and where the stop is about requests: then one stands on the stage, as chosen.
 */
export function rivals(s: Scene): readonly [string, string] | undefined {
  const all = s.doc.names('view', 'controller');
  if (all.length < 2 || narrow() || s.stop?.focus?.includes('requests')) return undefined;
  const first = shownController(s);
  const lead = first !== undefined && all.includes(first) ? first : all[0]!;
  return [lead, all.find((b) => b !== lead)!];
}

/** The process of a lane: "0" of "0.controller". */
export function processOf(lane: string): string {
  const dot = lane.indexOf('.');
  return dot < 0 ? lane : lane.slice(0, dot);
}

const bare = new WeakMap<Recording, boolean>();

/** Whether a recording is about plain clients of ZooKeeper alone: then nobody controls, requests or is a broker. */
export function onlyClients(s: Scene): boolean {
  let is = bare.get(s.rec);
  if (is === undefined) bare.set(s.rec, is = !s.rec.speaksOf('broker') && s.rec.speaksOf('client'));
  return is;
}

/** Brokers there are: those that run or ran. */
export function brokersOf(s: Scene): string[] { return s.doc.names('broker'); }

export function list(v: Value | undefined): Value[] { return Array.isArray(v) ? v : []; }

/** Two-letter codes and glyphs of states, under the names the document has for them. */
export const states: Record<string, { code: StateCode; glyph: string }> = {
  NonExistentPartition: { code: 'NX', glyph: '○' }, NewPartition: { code: 'NW', glyph: '＋' },
  OnlinePartition: { code: 'ON', glyph: '●' }, OfflinePartition: { code: 'OF', glyph: '✕' },
  NonExistentReplica: { code: 'NX', glyph: '○' }, NewReplica: { code: 'NW', glyph: '＋' },
  OnlineReplica: { code: 'ON', glyph: '●' }, OfflineReplica: { code: 'OF', glyph: '✕' },
  ReplicaDeletionStarted: { code: 'DS', glyph: '▼' }, ReplicaDeletionSuccessful: { code: 'DX', glyph: '✓' },
  ReplicaDeletionIneligible: { code: 'DI', glyph: '▲' },
};

/** The code of a state, as edges of charts are called. */
export function codeOf(name: string): StateCode { return states[name]?.code ?? 'NX'; }
export type StateCode = 'NX' | 'NW' | 'ON' | 'OF' | 'DS' | 'DX' | 'DI';
