// What moves at a step, by its kind. The table says how things look, never what Kafka or ZooKeeper do.
import type { Kind, Step, Value } from '../gen/trace.ts';
import type { Recording } from '../record.ts';
import { processOf, states } from '../parts/scene.ts';
import type { Place } from './places.ts';

export type Look = 'packet' | 'card' | 'chip' | 'star' | 'token' | 'ring' | 'grow' | 'ghost' | 'out' | 'flip' | 'pop' | 'drop' | 'error' | 'bracket' | 'stub' | 'clock';

/** One motion. from and to: it travels; at: it happens in place. ms at speed 1. */
export interface Move {
  look: Look; ms: number; easing: string;
  from?: Place; to?: Place; at?: Place;
  text?: string;
  /** How it travels: there and back, back after 30 %, or only as far as the shield. */
  way?: 'back' | 'refused' | 'stop';
  /** Not seen until this one is over. */
  hide?: Place;
}

const both = 'ease-in-out';
const curve = 'cubic-bezier(.4,0,.2,1)';

const arg = (s: Step, name: string): string => String(s.msg?.args?.[name] ?? '');
const client = (s: Step): string => arg(s, 'client') || processOf(s.lane);
const ring = (at: Place, ms = 240): Move[] => [{ look: 'ring', ms, easing: 'ease-out', at }];
const path = (s: Step): string => arg(s, 'path') || (s.entity ?? '');

/** What was done to broker, session or znode, from outside or by itself. */
function entity(s: Step): Move[] {
  const [, kind, name] = /^(broker|session) (\S+)/.exec(s.entity ?? '') ?? [];
  if (kind && name) return ring([kind === 'session' ? 'ring' : 'card', name]);
  if (s.entity?.startsWith('/')) return ring(['row', s.entity]);
  return ring(['mind', processOf(s.lane)]);
}

/** The znodes that a step deletes, folding away. */
function folds(s: Step, ms: number): Move[] {
  const gone = (s.diff ?? []).filter((d) => d.path[0] === 'view' && d.path[1] === 'row' && d.path[3] === 'value' && d.after === undefined);
  return gone.slice(0, 8).map((d) => ({ look: 'ghost', ms, easing: 'ease-in', at: ['row', d.path[2]!] }));
}

/** The beliefs that a step changes. */
function flips(s: Step): Move[] {
  const cells = (s.diff ?? []).filter((d) => d.path[0] === 'view' && d.path[1] === 'belief');
  return cells.slice(0, 6).map((d) => ({ look: 'flip', ms: 240, easing: 'ease-out', at: ['belief', d.path[3]!, d.path[2]!] }));
}

function ops(s: Step): string[] {
  const all = s.msg?.args?.ops;
  return (Array.isArray(all) ? all : []).map((op) => String(op).split(' ')[1] ?? '').filter((p) => p.startsWith('/'));
}

/** Sender and recipient of a request; a lane is "0>2". */
function ends(s: Step): { a: string; b: string; code: string } {
  const [a = '', b = ''] = s.lane.includes('>') ? s.lane.split('>') : [processOf(s.lane), arg(s, 'broker') || arg(s, 'to')];
  return { a, b, code: codeOf(s) };
}

/** The code of a request as the step's own diff has it, else its kind's capitals. */
function codeOf(s: Step): string {
  for (const d of s.diff ?? []) {
    const v = (d.after ?? d.before) as Value;
    if (d.path[0] === 'view' && d.path[1] === 'lane' && typeof v === 'object' && !Array.isArray(v) && v.code !== undefined) return String(v.code);
  }
  return (arg(s, 'kind') || arg(s, 'request') || s.entity || '').replace(/[^A-Z]/g, '').slice(0, 3);
}

/** ControlledShutdown and AlterIsr go from a broker to the controller. */
const upstream = (code: string): boolean => code === 'CS' || code === 'AI';

const code = (name: string): string => states[name]?.code ?? '';

function token(s: Step, way?: 'refused'): Move[] {
  const machine = (s.entity ?? '').includes('·') ? 'replica' : 'partition';
  const [from, to] = [arg(s, 'from'), arg(s, 'to')];
  const [tp = '', broker = ''] = (s.entity ?? '').split('·');
  const moves: Move[] = [{ look: 'token', ms: way ? 480 : 520, easing: curve, at: ['edge', machine, code(from), code(to)], text: `${states[to]?.glyph ?? ''} ${s.entity ?? ''}`, ...(way ? { way } : {}) }];
  if (broker && !way) moves.push({ look: 'pop', ms: 520, easing: curve, at: ['chip', broker, tp] });
  return moves;
}

/** Motions by kind, with the durations of the design at speed 1. */
const table: Record<Kind, (s: Step) => Move[]> = {
  'zk.read': (s) => [{ look: 'packet', ms: 320, easing: both, from: ['mind', client(s)], to: ['row', path(s)], way: 'back' }],
  'zk.create': (s) => [{ look: 'grow', ms: 180, easing: 'ease-out', at: ['row', arg(s, 'created') || path(s)] }],
  'zk.set': (s) => [{ look: 'ghost', ms: 240, easing: 'linear', at: ['value', path(s)] }, { look: 'flip', ms: 240, easing: 'linear', at: ['value', path(s)] }],
  'zk.delete': (s) => [{ look: 'ghost', ms: 180, easing: 'ease-in', at: ['row', path(s)] }],
  'zk.multi': (s) => [{ look: 'bracket', ms: 420, easing: both, at: ['rows', ...ops(s)] }],
  'zk.check': (s) => ring(['row', path(s)]),
  'zk.error': (s) => [...(ops(s).length > 1 ? [{ look: 'bracket', ms: 420, easing: both, at: ['rows', ...ops(s)], way: 'refused' } as Move] : []), { look: 'error', ms: 240, easing: 'linear', at: ['row', path(s)], text: arg(s, 'code') }],
  'watch.arm': (s) => [{ look: 'pop', ms: 140, easing: both, at: ['bell', path(s)] }],
  'watch.fire': (s) => [{ look: 'packet', ms: 480, easing: 'ease-in', from: ['bell', path(s)], to: ['mind', client(s)] }],
  'watch.lost': (s) => [{ look: 'stub', ms: 300, easing: 'ease-in', at: ['bell', path(s)] }],
  'session.open': (s) => ring(['ring', client(s)]), 'session.cut': (s) => ring(['ring', client(s)]), 'session.heal': (s) => ring(['ring', client(s)]), 'session.learn': (s) => ring(['card', client(s)]),
  'session.close': (s) => [...ring(['ring', client(s)], 400), ...folds(s, 400)],
  'session.expire': (s) => [...ring(['ring', client(s)], 400), ...folds(s, 400)],
  'event.put': (s) => [{ look: 'drop', ms: 220, easing: 'ease-out', at: ['tail', processOf(s.lane)] }],
  'event.take': (s) => [{ look: 'card', ms: 260, easing: 'ease-out', from: ['head', processOf(s.lane)], to: ['mind', processOf(s.lane)], text: s.entity ?? '' }],
  'event.done': (s) => ring(['mind', processOf(s.lane)]),
  'event.preempt': (s) => [{ look: 'out', ms: 260, easing: 'ease-out', at: ['head', processOf(s.lane)] }],
  'event.fail': (s) => [{ look: 'error', ms: 240, easing: 'linear', at: ['mind', processOf(s.lane)], text: s.entity ?? '' }],
  'ctx.set': (s) => { const f = flips(s); return f.length > 0 ? f : ring(['mind', processOf(s.lane)]); },
  'sm.move': (s) => token(s),
  'sm.refuse': (s) => token(s, 'refused'),
  'req.batch': (s) => { const { a, b, code } = ends(s); return [{ look: 'chip', ms: 160, easing: both, from: ['mind', a], to: ['tray', b], text: code }]; },
  'req.send': (s) => { const { a, b, code } = ends(s); const up = upstream(code); return [{ look: 'chip', ms: 260, easing: both, from: up ? ['card', a] : ['tray', b], to: ['wire', up ? a : b], text: code, hide: ['wire', up ? a : b] }]; },
  'req.deliver': (s) => { const { a, b, code } = ends(s); return [{ look: 'chip', ms: 460, easing: both, from: upstream(code) ? ['card', a] : ['wire', b], to: [upstream(code) ? 'mind' : 'card', b], text: code }]; },
  'req.fenced': (s) => { const b = processOf(s.lane); return [{ look: 'chip', ms: 420, easing: 'ease-out', from: ['tray', b], to: ['shield', b], text: '✕', way: 'stop' }, { look: 'error', ms: 420, easing: 'ease-out', at: ['shield', b], text: arg(s, 'error') }]; },
  'req.drop': (s) => { const { b } = ends(s); return [{ look: 'out', ms: 260, easing: 'ease-out', at: ['wire', b] }]; },
  'resp': (s) => { const { a, b, code } = ends(s); return [{ look: 'chip', ms: 340, easing: both, from: ['card', b], to: ['mind', a], text: `←${code}` }]; },
  'broker.state': (s) => ring(['card', processOf(s.lane)]),
  'config.apply': (s) => ring(['card', processOf(s.lane)]),
  'notice.skip': (s) => ring(['card', processOf(s.lane)]),
  'notice.purge': (s) => ring(['notice', path(s)]),
  'timer.set': (s) => ring(['mind', processOf(s.lane)]), 'timer.fire': (s) => ring(['mind', processOf(s.lane)]),
  'hold': (s) => [{ look: 'pop', ms: 240, easing: both, at: ['mind', processOf(s.entity ?? '')] }],
  'release': (s) => [{ look: 'pop', ms: 240, easing: both, at: ['mind', processOf(s.entity ?? '')] }],
  'admin': entity, 'fault': entity,
  'clock.warp': () => [{ look: 'clock', ms: 600, easing: both, at: ['when'] }],
};

/** As many stars as go at once; when a broker of a large world dies, dozens of partitions get another leader. */
const mostStars = 8;

/** A star that goes from the replica that led to the one that leads now. */
function stars(s: Step, rec: Recording): Move[] {
  const out: Move[] = [];
  for (const d of s.diff ?? []) {
    const [now, was] = [d.after, d.before] as (Record<string, Value> | undefined)[];
    if (out.length === mostStars) break;
    if (d.path[0] !== 'view' || d.path[1] !== 'chip' || now?.role !== 'leader' || was?.role === 'leader') continue;
    const tp = d.path[3]!;
    const last = rec.findBack(s.i, 0, (x) => (x.diff ?? []).some((y) => y.path[1] === 'chip' && y.path[3] === tp && y.path[2] !== d.path[2] && (y.before as Record<string, Value> | undefined)?.role === 'leader'));
    const from = last?.diff?.find((y) => y.path[1] === 'chip' && y.path[3] === tp && (y.before as Record<string, Value> | undefined)?.role === 'leader')?.path[2];
    if (from !== undefined) out.push({ look: 'star', ms: 420, easing: both, from: ['chip', from, tp], to: ['star', tp], hide: ['star', tp], text: '★' });
  }
  return out;
}

/** What its kind says, and beliefs that change. */
function own(s: Step): Move[] { return [...table[s.kind](s), ...(s.kind === 'ctx.set' ? [] : flips(s))]; }

/** All that moves at a step. */
export function movesOf(s: Step, rec: Recording): Move[] { return [...own(s), ...stars(s, rec)]; }

/** Whether more happens at a step than that a card is ringed: what only rings is left out where several steps are shown. */
export function crosses(s: Step): boolean {
  return own(s).some((m) => m.look !== 'ring') || (s.diff ?? []).some((d) => d.path[1] === 'chip' && (d.after as Record<string, Value> | undefined)?.role === 'leader' && (d.before as Record<string, Value> | undefined)?.role !== 'leader');
}
