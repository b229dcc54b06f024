// The age view: for each notification of a config change three bars, one per broker, because each broker judges its age
// by its own clock; below, the clocks themselves. What is old is what the document says; here is only subtraction.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { icon, vars } from '../dom.ts';
import type { Step, Value } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import type { Recording } from '../record.ts';
import { chartsPinned, fork, recordings, type Scene, select } from '../state.ts';
import { brokersOf, processOf } from './scene.ts';

/** As many notifications as there is room for, and as many broker clocks. */
const mostNotices = 4;
const mostBrokers = 5;
const changes = '/config/changes';

const ms = (tagged: unknown): number | undefined => { const d = /^time:(-?\d+)$/.exec(String(tagged))?.[1]; return d === undefined ? undefined : Number(d); };
const bases = new WeakMap<Recording, number | undefined>();

/** The wall clock of ZooKeeper at virtual time 0: a znode that was created bears its time. */
function base(rec: Recording): number | undefined {
  if (bases.has(rec)) return bases.get(rec);
  let found: number | undefined;
  for (let i = 0; i < rec.length && found === undefined; i++) {
    const s = rec.step(i)!;
    const born = s.diff?.find((d) => d.path[0] === 'zk' && d.path[2] === 'ctime' && d.after !== undefined);
    const time = born && ms(born.after);
    if (time !== undefined) found = time - s.vtime_ms;
  }
  bases.set(rec, found);
  return found;
}

interface Bar { broker: string; age: number; old: boolean; done: boolean }
interface Notice { path: string; about: string; bars: Bar[]; limit: number; now: boolean; by: string }

/** What a notification is to each broker at a moment: record is its leaf for that broker. */
function notice(s: Scene, path: string, wall: number, born: number, about: string, leaf: (b: string) => Record<string, Value> | undefined, by: string): Notice | undefined {
  let limit = 0;
  const bars: Bar[] = [];
  for (const b of brokersOf(s).slice(0, mostBrokers)) {
    const r = leaf(b);
    const over = ms(r?.over);
    if (!r || over === undefined) continue;
    const skew = Number(s.doc.get('clock', b) ?? 0);
    limit = over - born + skew;
    bars.push({ broker: b, age: Number(r.age ?? wall + skew - born), old: r.old === undefined ? wall > over : r.old === true, done: r.done === true });
  }
  const now = s.step?.entity === path || (s.step?.diff ?? []).some((d) => d.path[0] === 'view' && d.path[1] === 'notice' && d.path[2] === path);
  return bars.length === 0 ? undefined : { path, about, bars, limit, now, by };
}

function alive(s: Scene, start: number): Notice[] {
  return s.doc.names('view', 'notice').flatMap((path) => notice(s, path, start + s.rec.timeAt(s.at), ms(s.doc.get('zk', path, 'ctime')) ?? 0, s.doc.text('view', 'row', path, 'value'), (b) => s.doc.record('view', 'notice', path, b), '') ?? []);
}

/** Those that this event of deletion took away, as they were then. */
function deleted(s: Scene, start: number, from: number): Notice[] {
  const out: Notice[] = [];
  for (let i = s.at; i >= Math.max(0, from); i--) {
    const x = s.rec.step(i)!;
    if (x.kind !== 'zk.delete') continue;
    const path = String(x.msg?.args?.path ?? x.entity ?? '');
    if (!path.startsWith(changes + '/')) continue;
    const was = (...p: string[]): Value | undefined => x.diff?.find((d) => d.path.length === p.length && p.every((w, k) => d.path[k] === w))?.before;
    const one = notice(s, path, start + x.vtime_ms, ms(was('zk', path, 'ctime')) ?? 0, String(was('view', 'row', path, 'value') ?? ''), (b) => was('view', 'notice', path, b) as Record<string, Value> | undefined, String(x.msg?.args?.client ?? ''));
    if (one) out.unshift(one);
  }
  return out;
}

/** The earliest step from which deletions are still shown: the last time that the clock jumped. */
function since(s: Scene): number { return s.rec.findBack(s.at, 0, (x: Step) => x.kind === 'clock.warp')?.i ?? 0; }

/** Minutes and seconds, as a stop watch shows them. */
function minutes(time: number): string {
  const total = Math.floor(Math.abs(time) / 1000);
  return `${time < 0 ? '−' : ''}${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`;
}

/** A round span that holds all ages, in steps of five parts. */
function scaleOf(all: Notice[]): number {
  const longest = Math.max(0, ...all.flatMap((n) => n.bars.map((b) => b.age)));
  const five = [5, 10, 20, 30, 60, 120, 240].find((m) => m * 5 * 60000 >= longest * 1.02) ?? 480;
  return five * 5 * 60000;
}

/** The view in place of ledger, lanes and cards. */
export function ages(s: Scene): TemplateResult {
  const left = fork.value && recordings.value[fork.value.run]; // a short future may create no znode of its own
  const start = base(s.rec) ?? (left && base(left)) ?? 0;
  const gone = deleted(s, start, since(s));
  const all = [...gone, ...alive(s, start)];
  const shown = all.length <= mostNotices ? all : [...all.filter((n) => n.now), ...all.filter((n) => !n.now).reverse()].slice(0, mostNotices).sort((a, b) => (a.path < b.path ? -1 : 1));
  const scale = scaleOf(shown);
  const limit = shown[0]?.limit ?? 0;
  const pc = (time: number): string => (Math.max(0, Math.min(1, time / scale)) * 100).toFixed(2) + '%';
  return html`<div class="ages" role="region" aria-label=${t('age')}>
    <header><h2>${t('zk')} <code>${changes}</code></h2><h2>${t('age')} <small>${t('ageSub')}</small></h2><button class="toggle" @click=${() => { chartsPinned.value = false; }}>${t('ageLedger')}</button></header>
    <div class="axis" aria-hidden="true">${[0, 1, 2, 3, 4, 5].map((k) => html`<span ${vars({ '--at': pc(scale * k / 5) })}>${minutes(scale * k / 5)}</span>`)}${limit > 0 ? html`<b ${vars({ '--at': pc(limit) })}>${minutes(limit)}</b>` : nothing}</div>
    <ul class="notices" ${vars({ '--limit': pc(limit) })}>${limit > 0 ? html`<li class="beyond" aria-hidden="true"><span>${t('ageOld', { m: limit / 60000 })}</span></li>` : nothing}
      ${shown.length === 0 ? html`<li class="hint">${t('ageNone')}</li>` : shown.map((n) => row(s, n, pc))}
      ${all.length > shown.length ? html`<li class="hint">${t('ageMore', { n: all.length - shown.length })}</li>` : nothing}</ul>
    <h2>${t('brokers')} <small>${t('clocksSub')}</small></h2>
    <div class="clocks">${brokersOf(s).slice(0, mostBrokers).map((b) => clock(s, b, start))}</div></div>`;
}

function row(s: Scene, n: Notice, pc: (time: number) => string): TemplateResult {
  const name = n.path.slice(n.path.lastIndexOf('/') + 1);
  const now = n.now && !s.hidden;
  const done = n.bars.filter((b) => b.done).map((b) => b.broker);
  const said = n.by ? t('ageGone', { b: n.by }) : done.length === n.bars.length ? t('ageAll') : done.length === 0 ? t('ageNobody') : t('ageDone', { b: done.join(', ') });
  return html`<li class="notice-of ${now ? 'now' : ''} ${n.by ? 'gone' : ''}" data-path=${n.path}><div><button class="name" @click=${() => select(['zk', n.path], 'node')}>${name.slice(0, -4)}<b>${name.slice(-4)}</b></button><code>${n.about}</code><small>${said}</small></div>
    <ul>${n.bars.map((b) => html`<li class=${b.old ? 'old' : ''}><span>${b.broker}</span><i data-bar="${n.path} ${b.broker}" ${vars({ '--w': pc(b.age) })}></i><b>${minutes(b.age)}</b>${b.old ? html`<span class="hidden">${t('ageIsOld')}</span>` : nothing}</li>`)}</ul></li>`;
}

/** A broker's clock, listener and counter, and what it has applied. */
function clock(s: Scene, b: string, start: number): TemplateResult {
  const up = s.doc.get('broker', b, 'up') === true;
  const skew = Number(s.doc.get('clock', b) ?? 0);
  const passing = ms(s.doc.get('notices', b, changes, 'now'));
  const time = passing ?? start + s.rec.timeAt(s.at) + skew;
  const now = !s.hidden && s.step !== undefined && processOf(s.step.lane) === b;
  const last = s.doc.get('notices', b, changes, 'last');
  const state = !up ? `✕ ${t('down')}` : passing !== undefined ? t('passNow') : s.doc.has('notices', b, changes, 'asked') ? t('passAsked') : t('passNone');
  const skewed = `${skew < 0 ? '−' : skew > 0 ? '+' : '±'}${minutes(Math.abs(skew))}`;
  return html`<article class="clock ${now ? 'now' : ''} ${up ? '' : 'down'}" data-b=${b}>${face(time)}
    <header><h3>${t('broker', { b })} ${s.doc.has('view', 'controller', b) ? icon('crown') : nothing}</h3><time>${new Date(time).toISOString().slice(11, 19)}</time><p class=${skew ? 'skewed' : ''}>${t('skew', { s: skewed })}</p></header>
    <div class="skew" aria-hidden="true"><i ${vars({ '--at': `${50 + 40 * Math.max(-1, Math.min(1, skew / 1800000))}%` })}></i></div>
    <dl><dt>lastExecutedChange</dt><dd>${last === undefined ? '∅' : String(last).replace('-', '−')}</dd>${effect(s, b, up)}</dl><p class="state">${state}</p></article>`;
}

/** What a broker applied, with ≠ where the znode says something else. */
function effect(s: Scene, b: string, up: boolean): TemplateResult[] {
  const kinds = s.doc.names('config', b).flatMap((type) => s.doc.names('config', b, type).map((name) => [type, name] as const));
  return kinds.slice(0, 2).map(([type, name]) => {
    const all = Object.entries(s.doc.record('config', b, type, name) ?? {}).map(([k, v]) => [k, String(v)] as const);
    const truth = s.doc.text('view', 'row', `/config/${type}/${name}`, 'value');
    const own = `{${all.map(([k, v]) => `${k}=${v}`).join(',')}}`;
    const differs = up && !s.hidden && truth !== '' && truth.replace(/, /g, ',') !== own;
    return html`<dt>${name} ${all[0]?.[0] ?? ''}</dt><dd class=${differs ? 'wrong' : ''}>${differs ? html`≠<span class="hidden">${t('differ')}</span> ` : nothing}${all[0]?.[1] ?? '∅'}</dd>`;
  });
}

/** A clock face: the hands stand as the digits say. */
function face(time: number): TemplateResult {
  const d = new Date(time);
  const minute = d.getUTCMinutes() * 6 + d.getUTCSeconds() / 10;
  const hour = (d.getUTCHours() % 12) * 30 + d.getUTCMinutes() / 2;
  return html`<svg viewBox="0 0 72 72" aria-hidden="true"><circle cx="36" cy="36" r="34"/>${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((k) => svg`<path d="M36 5V9" transform="rotate(${k * 30} 36 36)"/>`)}<path class="hour" d="M36 36V18" transform="rotate(${hour} 36 36)"/><path class="minute" d="M36 36V10" transform="rotate(${minute} 36 36)"/></svg>`;
}
