// A script from this run: its own lines, and after them what the chosen steps did, so that `headless run -f` fails when it
// ever comes otherwise. The core cuts the script at a step and says which expectations hold there.
import { signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { pathText } from '../fmt.ts';
import type { Diff, Step, Value } from '../gen/trace.ts';
import type { Recording } from '../record.ts';
import { fields } from './fields.ts';
import { w } from './words.ts';

/** The steps that are expected again. */
export const expected = signal<readonly number[]>([]);

export function toggle(i: number): void {
  expected.value = expected.value.includes(i) ? expected.value.filter((x) => x !== i) : [...expected.value, i].sort((a, b) => a - b);
}

/** Fields that are another number in every run that is not this one. */
const volatile = new Set(['timestamp', 'czxid', 'mzxid', 'pzxid', 'ctime', 'mtime', 'ephemeralOwner', 'dataLength', 'numChildren']);
/** Sessions and zxids, which another run numbers otherwise. */
const numbered = /^\w+:0x/;
const most = 6;

function literal(v: Value): string | undefined {
  if (typeof v === 'number' || typeof v === 'boolean') return String(v);
  if (typeof v === 'string') return v.length < 60 && !/['\n]/.test(v) && !numbered.test(v) ? `'${v}'` : undefined;
  return Array.isArray(v) && v.every((x) => typeof x === 'number') ? `[${v.join(',')}]` : undefined;
}

/** What a change could be expected as. */
function claims(d: Diff): string[] {
  const path = pathText(d.path);
  const last = d.path.at(-1)!;
  if (d.path[0] === 'view' || d.path[0] === 'zxid' || volatile.has(last) || d.path.some((word) => numbered.test(word))) return [];
  const node = `${d.path[0]}[${d.path[1]}]`;
  if (d.path[0] === 'zk' && d.after === undefined) return [`not exists(${node})`];
  const data = d.path[0] === 'zk' && last === 'data' ? fields(d.after) : undefined;
  if (data) {
    return Object.entries(data).flatMap(([k, v]) => { const l = literal(v); return l === undefined || volatile.has(k) ? [] : [`${path}.${k} = ${l}`]; });
  }
  if (d.after === undefined) return [`not exists(${path})`];
  const value = literal(d.after);
  return [value === undefined ? `exists(${path})` : `${path} = ${value}`];
}

/** The first expectations of a step that the core says hold where the run is cut. */
async function holding(s: Step, at: number): Promise<string[]> {
  const out: string[] = [];
  for (const claim of new Set((s.diff ?? []).flatMap(claims))) {
    if (out.length === most) break;
    if (await core.evaluate(at, `not not (${claim})`).catch(() => false) === true) out.push(claim);
  }
  return out;
}

/** A condition that holds at step i first since the last operation; undefined when none tells it from those before. */
function condition(r: Recording, i: number): string | undefined {
  const s = r.step(i)!;
  const always = new Set(['step.msg', 'step.entity']);
  const marks: [string, (x: Step) => Value | undefined][] = [['step.msg', (x) => x.msg?.key], ['step.kind', (x) => x.kind], ['step.entity', (x) => x.entity], ['step.lane', (x) => x.lane],
    ...Object.keys(s.msg?.args ?? {}).map((k): [string, (x: Step) => Value | undefined] => [`step.args.${k}`, (x) => x.msg?.args?.[k]])];
  let same: Step[] = [];
  for (let k = i - 1; k >= 0 && r.step(k)!.lane !== 'admin'; k--) same.push(r.step(k)!);
  const parts: string[] = [];
  for (const [name, of] of marks) {
    const value = of(s);
    const text = value === undefined ? undefined : literal(value);
    const rest = same.filter((x) => JSON.stringify(of(x)) === JSON.stringify(value));
    if (text === undefined || (!always.has(name) && rest.length === same.length && parts.length > 0)) continue;
    parts.push(`${name} = ${text}`);
    same = rest;
  }
  return same.length === 0 ? parts.join(' and ') : undefined;
}

function linesOf(script: string): string[] { return script.split('\n').map((l) => l.trim()).filter((l) => l !== '' && !l.startsWith('#')); }

/** The script; throws a sentence when a step cannot be expected. */
export async function regression(r: Recording, name: string): Promise<string> {
  const { setup, script, seed } = r.trace;
  const inputs = { setup: String(setup), script, seed };
  const lines = linesOf(script);
  const before = new Map<number, string[]>();
  for (const i of expected.value) {
    const cut = await core.act(inputs, i, 'expect step.i >= 0');
    const upTo = linesOf(cut.inputs.script).slice(0, -1);
    const inside = /^until step\.i >= \d+$/.test(upTo.at(-1) ?? '');
    const k = inside ? upTo.length - 1 : upTo.length;
    const when = condition(r, i);
    if (inside && (when === undefined || !/^(until|run)\b/.test(lines[k] ?? ''))) throw new Error(w('cannotExpect', { n: i, line: lines[k] ?? '' }));
    const claims = await holding(r.step(i)!, cut.from - 1);
    before.set(k, [...(before.get(k) ?? []), ...(inside ? [`until ${when!}`] : []), ...claims.map((c) => `expect ${c}`)]);
  }
  const head = [`# ${name.replace(/\s+/g, ' ')}`, `# headless run -f FILE --seed ${seed}`];
  const whole = [...head, ...linesOf(String(setup)), ...lines.flatMap((l, k) => [...(before.get(k) ?? []), l]), ...(before.get(lines.length) ?? [])].join('\n') + '\n';
  const again = await core.open({ setup: '', script: whole, seed });
  if (again.failure !== undefined) throw new Error(again.failure);
  return whole;
}
