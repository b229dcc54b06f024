// The age view: for each notification of a config change three bars, one per broker, because each broker judges its age
// by its own clock; below, the clocks themselves (clocks.ts). What is old is what the document says; here is only subtraction.
import { html, nothing, type TemplateResult } from 'lit-html';
import { vars } from '../dom.ts';
import type { Step, Value } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import type { Recording } from '../record.ts';
import { chartsPinned, fork, recordings, type Scene, select } from '../state.ts';
import { clocks, mostBrokers } from './clocks.ts';
import { brokersOf } from './scene.ts';
import { minutes, ms } from './time.ts';

/** As many notifications as there is room for. */
const mostNotices = 4;
const changes = '/config/changes';

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
  const now = s.step?.kind !== 'clock.warp' && (s.step?.entity === path || (s.step?.diff ?? []).some((d) => d.path[0] === 'view' && d.path[1] === 'notice' && d.path[2] === path));
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

/** The earliest step from which deletions are still shown: where the clock was last turned. */
function since(s: Scene): number { return s.rec.findBack(s.at, 0, (x: Step) => x.kind === 'clock.warp' && !x.causes?.length)?.i ?? 0; }

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
    <div class="axis" aria-hidden="true">${[0, 1, 2, 3, 4, 5].map((k) => html`<span class=${Math.abs(scale * k / 5 - limit) < scale / 8 ? 'near' : ''} ${vars({ '--at': pc(scale * k / 5) })}>${minutes(scale * k / 5)}</span>`)}${limit > 0 ? html`<b ${vars({ '--at': pc(limit) })}>${minutes(limit)}</b>` : nothing}</div>
    <ul class="notices" ${vars({ '--limit': pc(limit) })}>${limit > 0 ? html`<li class="beyond" aria-hidden="true"><span>${t('ageOld', { m: limit / 60000 })}</span></li>` : nothing}
      ${shown.length === 0 ? html`<li class="hint">${t('ageNone')}</li>` : shown.map((n) => row(s, n, pc))}
      ${all.length > shown.length ? html`<li class="hint">${t('ageMore', { n: all.length - shown.length })}</li>` : nothing}</ul>
    ${clocks(s, start)}</div>`;
}

function row(s: Scene, n: Notice, pc: (time: number) => string): TemplateResult {
  const name = n.path.slice(n.path.lastIndexOf('/') + 1);
  const now = n.now && !s.hidden;
  const done = n.bars.filter((b) => b.done).map((b) => b.broker);
  const said = n.by ? t('ageGone', { b: n.by }) : done.length === n.bars.length ? t('ageAll') : done.length === 0 ? t('ageNobody') : t('ageDone', { b: done.join(', ') });
  return html`<li class="notice-of ${now ? 'now' : ''} ${n.by ? 'gone' : ''}" data-path=${n.path}><div><button class="name" @click=${() => select(['zk', n.path], 'node')}>${name.slice(0, -4)}<b>${name.slice(-4)}</b></button><code>${n.about}</code><small>${said}</small></div>
    <ul>${n.bars.map((b) => html`<li class=${b.old ? 'old' : ''}><span>${b.broker}</span><i data-bar="${n.path} ${b.broker}" ${vars({ '--w': pc(b.age) })}></i><b>${minutes(b.age)}</b>${b.old ? html`<span class="hidden">${t('ageIsOld')}</span>` : nothing}</li>`)}</ul></li>`;
}
