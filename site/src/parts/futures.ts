// Two futures, the same instant: what was recorded and what would have been, box by box and value by value.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../dom.ts';
import { type Doc, natural } from '../doc.ts';
import type { Value } from '../gen/trace.ts';
import { plain, seconds, show } from '../fmt.ts';
import { t } from '../i18n.ts';
import type { Recording } from '../record.ts';
import { batch } from '@preact/signals-core';
import { at, compare, fork, leaveFork, lesson, recordings, run, type Scene } from '../state.ts';
import { prose } from './caption.ts';

export interface Side { rec: Recording; doc: Doc; at: number; name: string; note?: string }
interface Pair { left: Side; right: Side; base: number; where: string; time: number }

/** The two sides at one instant: the later end of both. Without a fork they are two runs of the lesson, at their ends. */
export function pair(s: Scene): Pair | undefined {
  const f = fork.value;
  const l = lesson.value;
  let a: Recording | undefined;
  let b: Recording | undefined;
  let base: number;
  if (f) {
    a = recordings.value[f.run];
    b = f.rec;
    base = f.base;
  } else {
    if (run.value === 0) return undefined;
    a = recordings.value[0];
    b = s.rec;
    base = a?.common(b) ?? -1;
  }
  if (!a || !b) return undefined;
  const time = Math.max(a.timeAt(a.length - 1), b.timeAt(b.length - 1));
  const stop = l?.stops.filter((x) => x.run === (f?.run ?? 0) && x.at <= base).length ?? 0;
  const from = seconds(a.timeAt(Math.max(0, base)));
  const where = base < 0 ? t('sameStart', { s: from }) : t('forkAt', { where: stop > 0 ? t('stopN', { n: stop }) : t('stepN', { n: base }), s: from });
  const [left, right] = [side(a, time, t('futureA')), side(b, time, f ? f.lines.join(' · ') : t('futureB'))];
  nameByGuards(left, right);
  return { left, right, base, where, time };
}

/** Futures that differ in one protection are named after it. */
function nameByGuards(left: Side, right: Side): void {
  const [a, b] = [left.doc.names('guard'), right.doc.names('guard')];
  const only = [...a, ...b].filter((g) => a.includes(g) !== b.includes(g));
  if (only.length !== 1) return;
  const key = 'guard.' + only[0];
  for (const [x, off] of [[left, a.includes(only[0]!)], [right, b.includes(only[0]!)]] as const) {
    x.name = `${known(key)} ${t(off ? 'off' : 'on')}`;
    x.note = key === 'guard.broker-epoch' ? t(off ? 'beforeKip380' : 'sinceKip380') : '';
  }
}

/** What a guard is called. */
function known(key: string): string { return key === 'guard.broker-epoch' || key === 'guard.controller-epoch' ? t(key) : key; }

function side(rec: Recording, time: number, name: string): Side {
  let i = rec.length - 1;
  while (i > 0 && rec.timeAt(i) > time) i--;
  return { rec, doc: rec.docAt(i), at: i, name };
}

/** The partition that the two futures treat most differently: one that somebody leads here and nobody there. */
function partitionOf(p: Pair): string | undefined {
  const all = [...new Set([...p.left.doc.names('view', 'partition'), ...p.right.doc.names('view', 'partition')])];
  const get = (d: Doc, tp: string, k: string): string => String(d.record('view', 'partition', tp)?.[k] ?? '');
  const score = (tp: string): number => (get(p.left.doc, tp, 'really') !== get(p.right.doc, tp, 'really') ? 4 : 0)
    + (get(p.left.doc, tp, 'produce') !== get(p.right.doc, tp, 'produce') ? 2 : 0) + (get(p.left.doc, tp, 'zk') !== get(p.right.doc, tp, 'zk') ? 1 : 0);
  return all.sort((a, b) => score(b) - score(a) || (a < b ? -1 : 1))[0];
}

let cached: { key: string; value: Pair | undefined } = { key: '', value: undefined };

export function futures(s: Scene): TemplateResult {
  const key = `${s.rec.trace.hash} ${fork.value?.rec.trace.hash ?? run.value} `;
  if (cached.key !== key) cached = { key, value: pair(s) };
  const p = cached.value;
  if (!p) return html`<main class="futures" id="stage"><p>${t('wiHint')}</p></main>`;
  const tp = partitionOf(p);
  const stop = fork.value ? undefined : s.stop;
  const lost = tp !== undefined && Number(p.right.doc.record('view', 'partition', tp)?.zk ?? -1) >= 0 && p.right.doc.record('view', 'partition', tp)?.really === 'nothing';
  const since = { n: p.base, s: seconds(p.left.rec.timeAt(Math.max(0, p.base))) };
  return html`<main class="futures" id="stage" tabindex="-1"><div class="caption"><div class="acts">
      ${fork.value ? html`<button class="box" @click=${keepLeft}>${t('keepLeft')}</button><button class="box" @click=${keepRight}>${t('keepRight')}</button>` : nothing}
      ${fork.value ? html`<button class="plain" @click=${() => { compare.value = false; }}>${t('close')} <kbd>Esc</kbd></button>` : nothing}</div>
      <h1 id="headline"><span>${stop ? prose(plain(stop.headline)) : lost ? t('futuresLost', { what: p.right.name, tp }) : t('futuresHead')}</span>${stop?.method ? html` <code>${stop.method}</code>` : nothing}</h1>
      <p>${stop ? prose(plain(stop.sentence)) : lost ? t('futuresLostSub', since) : t('futuresSub', since)}</p></div>
    <div class="forkline"><svg viewBox="0 0 1376 56" preserveAspectRatio="none" aria-hidden="true"><path d="M688 0V14M688 14C688 40 300 14 300 56M688 14C688 40 1076 14 1076 56" vector-effect="non-scaling-stroke"/></svg><i></i><span>${p.where}</span></div>
    <div class="pair">${tp === undefined ? nothing : html`${future(p.left, tp, true)}${future(p.right, tp, false)}`}</div>
    ${tableOf(p, tp)}
    <div class="pair verdicts">${verdict(p.left, tp, p.time)}${verdict(p.right, tp, p.time)}</div></main>`;
}

function keepLeft(): void { leaveFork(); }

function keepRight(): void {
  batch(() => {
    compare.value = false;
    if (fork.value) at.value = fork.value.rec.length - 1;
  });
}

/** Says, says, really: the leader of one partition as three stations have it. */
function future(x: Side, tp: string, left: boolean): TemplateResult {
  const r = x.doc.record('view', 'partition', tp);
  const zk = Number(r?.zk ?? -1);
  const ctl = Number(r?.ctl ?? -1);
  const really = String(r?.really ?? 'nothing');
  const good = really === 'leader' && zk === ctl;
  const [path] = x.doc.names('view', 'row').filter((z) => x.doc.record('view', 'belief', x.doc.text('view', 'lead'), z)?.field === tp);
  const name = (n: number): string => (n < 0 ? t('nobodyLeads') : String(n));
  return html`<section class="future ${good ? 'good' : 'bad'}" aria-label=${left ? t('futureA') : t('futureB')}><h2>${icon(good ? 'check' : 'cross')} ${x.name}${x.note ? html` <small>${x.note}</small>` : nothing}</h2>
    <div class="boxes"><div class="fbox"><small>${t('zkSays')}</small><b class=${zk < 0 ? 'word' : ''}>${name(zk)}</b><code>${path ? label(x.doc, path) : tp}</code></div>
    <span class="rel">${zk === ctl ? '=' : '≠'}</span>
    <div class="fbox"><small>${t('ctlSays')}</small><b class=${ctl < 0 ? 'word' : ''}>${name(ctl)}</b><code>${t('cacheOf', { tp })}</code></div>
    <span class="rel ${good ? 'ok' : 'ne'}">${good ? '=' : '≠'}</span>
    ${reality(zk, really, tp)}</div></section>`;
}

/** A znode as the ledger calls it; a child of a list by its whole path. */
function label(d: Doc, path: string): string {
  const at = d.record('view', 'row', path, 'at');
  return at && Number(at.depth) === 2 ? String(at.label) : path;
}

function reality(b: number, really: string, tp: string): TemplateResult {
  if (b < 0) return html`<div class="fbox void"><small>${t('brokers')}</small><strong>${t('nobodyLeads')}</strong></div>`;
  if (really === 'leader') return html`<div class="fbox"><small>${t('reallyLeads', { b })}</small><strong>${icon('star')} ${tp}</strong></div>`;
  if (really === 'follower') return html`<div class="fbox void"><small>${t('reallyFollows', { b })}</small><strong>${tp}</strong></div>`;
  if (really === 'down') return html`<div class="fbox void"><small>${t('reallyDown', { b })}</small><strong>✕ ${t('down')}</strong></div>`;
  return html`<div class="fbox void"><small>${t('reallyHosts', { b })}</small><strong>${t('nothing')}</strong><em>${t('onDisk')}</em></div>`;
}

interface Cell { name: string; left: string; right: string }

/** The values side by side: what differs; where a cache is wrong on one side, also the truth beside it. */
function cells(p: Pair, tp: string | undefined): Cell[] {
  const [a, b] = [p.left.doc, p.right.doc];
  return [...znodes(a, b), ...brokers(p, tp), ...(tp === undefined ? [] : [produce(a, b, tp)])];
}

function znodes(a: Doc, b: Doc): Cell[] {
  const out: Cell[] = [];
  const place = (z: string): Record<string, Value> | undefined => a.record('view', 'row', z, 'at') ?? b.record('view', 'row', z, 'at');
  const paths = [...new Set([...a.names('view', 'row'), ...b.names('view', 'row')])].filter((z) => place(z)?.fold !== true);
  for (const z of paths.sort((x, y) => (String(place(x)?.order) < String(place(y)?.order) ? -1 : 1))) {
    const [x, y] = [a, b].map((d) => d.record('view', 'belief', d.text('view', 'lead'), z));
    const wrong = x?.mark === '≠' || y?.mark === '≠';
    const [va, vb] = [value(a, z), value(b, z)];
    if (va !== vb || wrong) out.push({ name: label(a.has('view', 'row', z) ? a : b, z), left: va, right: vb });
    if (wrong) out.push({ name: `${t('cache')}, ${String(x?.field || y?.field || z)}`, left: x ? plain(String(x.value)) : '∅', right: y ? plain(String(y.value)) : '∅' });
  }
  return out;
}

/** What was sent to each broker and what it hosts; first the one that the bad future names leader. */
function brokers(p: Pair, tp: string | undefined): Cell[] {
  const [a, b] = [p.left.doc, p.right.doc];
  const named = tp === undefined ? '' : String(b.record('view', 'partition', tp)?.zk ?? '');
  const all = [...new Set([...a.names('broker'), ...b.names('broker')])].sort((x, y) => Number(y === named) - Number(x === named) || natural(x, y));
  return all.flatMap((x) => [{ name: t('requestsTo', { b: x }), left: sent(p.left, p.base, x), right: sent(p.right, p.base, x) }, { name: t('hosts', { b: x }), left: hosts(a, x), right: hosts(b, x) }])
    .filter((c) => c.left !== c.right);
}

function produce(a: Doc, b: Doc, tp: string): Cell {
  const [left, right] = [a, b].map((d) => {
    const r = d.record('view', 'partition', tp);
    return r === undefined ? '∅' : r.produce === 'NONE' ? `OK, ${t('broker', { b: String(r.zk) })}` : String(r.produce);
  });
  return { name: t('produceTo', { tp }), left: left!, right: right! };
}

function value(d: Doc, z: string): string {
  const v = d.get('view', 'row', z, 'value');
  if (v === undefined) return t('absent');
  const version = d.get('zk', z, 'version');
  return plain(String(v)) + (version === undefined || Number(version) === 0 ? '' : ` v${String(version)}`);
}

/** The codes of what was sent to a broker since the fork, in order. */
function sent(x: Side, base: number, to: string): string {
  const codes: string[] = [];
  for (let i = base + 1; i <= x.at; i++) {
    for (const d of x.rec.step(i)?.diff ?? []) {
      if (d.path[0] === 'view' && d.path[1] === 'lane' && d.path[2]?.endsWith('>' + to) && d.after && (d.after as Record<string, unknown>).state === 'flight' && (d.before as Record<string, unknown> | undefined)?.state !== 'flight') codes.push(String((d.after as Record<string, unknown>).code));
    }
  }
  if (codes.length === 0) return t('nothingSent');
  return codes.length > 6 ? `${codes.slice(0, 5).join(' · ')} · +${codes.length - 5}` : codes.join(' · ');
}

function hosts(d: Doc, b: string): string {
  if (d.get('broker', b, 'up') !== true) return '✕ ' + t('down');
  const on = d.names('view', 'chip', b).filter((tp) => d.record('view', 'chip', b, tp)?.role !== '');
  if (on.length === 0) return t('nothing');
  return on.length > 3 ? t('replicasN', { n: on.length, l: on.filter((tp) => d.record('view', 'chip', b, tp)?.role === 'leader').length }) : on.map((tp) => (d.record('view', 'chip', b, tp)?.role === 'leader' ? '★' : '') + tp).join(', ');
}

function tableOf(p: Pair, tp: string | undefined): TemplateResult {
  const all = cells(p, tp);
  const differing = all.filter((c) => c.left !== c.right);
  const most = 7;
  const shown = all.length <= most ? all : [...all.slice(0, most - 1), all[all.length - 1]!];
  if (differing.length === 0) return html`<p class="sameall">${t('sameAll')}</p>`;
  return html`<div class="ctable" role="table" aria-label=${t('futures')}><div class="hidden" role="row"><span role="columnheader">${t('futureA')}</span><span role="columnheader">·</span><span role="columnheader">${t('futureB')}</span></div>${shown.map((c) => html`<div class="crow ${c.left === c.right ? '' : 'diff'}" role="row"><span role="cell" class="l">${c.left}</span><span role="cell" class="m">${c.name}</span><span role="cell" class="r"><i>${c.left === c.right ? '=' : '≠'}</i> ${c.right}</span></div>`)}</div>
    ${all.length > shown.length ? html`<p class="rest">${t('moreDiffs', { n: differing.length - shown.filter((c) => c.left !== c.right).length })}</p>` : nothing}`;
}

/** One line of judgement, from what the document says of every partition. */
function verdict(x: Side, tp: string | undefined, instant: number): TemplateResult {
  const all = x.doc.names('view', 'partition').map((n) => ({ n, r: x.doc.record('view', 'partition', n)! }));
  const pick = (f: (r: Record<string, unknown>) => boolean): { n: string; r: Record<string, unknown> } | undefined => all.find((e) => e.n === tp && f(e.r)) ?? all.find((e) => f(e.r));
  const hollow = pick((r) => Number(r.zk) >= 0 && r.really === 'nothing');
  const leaderless = pick((r) => Number(r.zk) < 0);
  const differ = Number(x.doc.get('view', 'mismatch', x.doc.text('view', 'lead')) ?? 0);
  const time = html`<small>${t('bothAt', { s: seconds(instant) })}</small>`;
  if (hollow) return html`<p class="verdict bad">${t('verdictBad', { tp: hollow.n, b: show(hollow.r.zk as number) })}</p>`;
  if (leaderless) return html`<p class="verdict bad">${t('verdictLeaderless', { tp: leaderless.n })}</p>`;
  if (differ > 0) return html`<p class="verdict bad">${t('verdictDiffer', { n: differ })} ${time}</p>`;
  return html`<p class="verdict good">${t('verdictOk')} ${time}</p>`;
}

