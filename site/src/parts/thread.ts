// The controller's event thread, what it works out, and its queue.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon, narrow } from '../dom.ts';
import { seconds, show, stepText } from '../fmt.ts';
import type { Step, Value } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import type { Scene } from '../state.ts';
import { list, processOf, rivals, shownController } from './scene.ts';

export function thread(s: Scene): TemplateResult {
  const two = rivals(s);
  if (two) return html`<section class="thread two" aria-label=${t('twoControllers')}>${two.map((c) => html`<div class="mind">${who(s, c)}${card(s, c)}${queue(s, c)}</div>`)}</section>`;
  const b = shownController(s);
  if (b === undefined) return html`<section class="thread"><div class="tcard"><p class="does">${t('noController')}</p></div></section>`;
  return html`<section class="thread" aria-label=${t('threadOf', { b })}>${card(s, b)}${queue(s, b)}</section>`;
}

/** Which of two controllers this is, and of which epoch. */
function who(s: Scene, b: string): TemplateResult {
  const stale = s.doc.get('view', 'controller', b) === 'stale';
  return html`<p class="who"><b>${t('broker', { b })}</b> ${icon('crown', stale ? 'off' : '')}<span class=${stale ? 'old' : ''}>${t('epoch')} ${s.doc.text('ctx', b, 'epoch')}</span></p>`;
}

/** The operations of a transaction that ZooKeeper refuses at this step; none at any other. */
function refusedOps(s: Scene): string[] {
  return s.step?.kind === 'zk.error' && !s.hidden ? list(s.step.msg?.args?.ops as Value).map(String).slice(0, 5) : [];
}

/** As many lines of the ledger as the card of a refused transaction takes. */
export function refusalLines(s: Scene): number {
  const n = refusedOps(s).length;
  return n === 0 || narrow() ? 0 : Math.ceil((72 + 18 * n) / 24);
}

/** A transaction that ZooKeeper refused: what each of its operations came to. */
export function refusal(s: Scene): TemplateResult | typeof nothing {
  const ops = refusedOps(s);
  if (ops.length === 0) return nothing;
  const code = String(s.step?.msg?.args?.code ?? '');
  const title = t('multiOf', { b: String(s.step?.msg?.args?.client ?? '') });
  return html`<section class="refusal" aria-label=${title}><h3>${title} <code>${code}</code></h3><ul>${ops.map((op) => refusedOp(op, code))}</ul><p>${t('allOrNothing')}</p></section>`;
}

function refusedOp(op: string, code: string): TemplateResult {
  const [kind = '', path = '', ...rest] = op.split(' ');
  const said = rest.join(' ');
  const known = said === code || said === 'OK';
  return html`<li class=${said === code ? 'bad' : ''}>${icon(said === code ? 'cross' : known ? 'check' : 'dash')}<code>${kind} ${path.replace(/^\/brokers\/topics\/[^/]+\/partitions/, '…')}</code><b>${known ? said : t('notRun')}</b></li>`;
}

function card(s: Scene, b: string): TemplateResult {
  const heldBy = ['hold', `${b}.controller`];
  const event = s.doc.text('ctl', b, 'event');
  const state = s.doc.get('ctl', b, 'state');
  const stale = s.doc.get('view', 'controller', b) === 'stale';
  const ghost = stale ? html`<p class="ghost">${t('stale')}</p>` : nothing;
  if (s.doc.has(...heldBy)) {
    const since = s.rec.lastWriter(heldBy, s.at);
    const age = s.rec.timeAt(s.at) - s.rec.timeAt(since);
    return html`<div data-b=${b} class="tcard held ${stale ? 'stale' : ''}"><div class="head">${icon('lock')}<b>${t('threadHeld')}</b><span>${since >= 0 ? seconds(age, 1) + ' s' : ''}</span></div>${ghost}
      <p class="does">${event ? eventName(s, b, event) : t('threadOf', { b })}</p></div>`;
  }
  if (!event) return html`<div data-b=${b} class="tcard idle ${stale ? 'stale' : ''}"><div class="head"><b>${t('idle')}</b><span>${t('threadOf', { b })}</span></div>${ghost}</div>`;
  const since = begun(s, b, event);
  const own = (x: Step): boolean => x.lane === b + '.controller';
  const doing = s.rec.findBack(s.at, since, own);
  const running = s.step !== undefined && processOf(s.step.lane) === b;
  return html`<div data-b=${b} class="tcard run ${running ? 'now' : ''} ${stale ? 'stale' : ''}"><div class="head">${icon('run')}<b>${eventName(s, b, event)}</b><span>${s.doc.has('view', 'controller', b) ? '' : t('broker', { b }) + ' · '}${state === undefined ? '' : t('state', { n: String(state) })}</span></div>${ghost}
    <p class="does">${doing && !s.hidden ? stepText(doing) : ''}</p>${s.hidden ? nothing : result(s, since, own)}</div>`;
}

/** The step at which an event began: its event.take, or 0. */
function begun(s: Scene, b: string, event: string): number {
  return s.rec.findBack(s.at, 0, (x) => x.kind === 'event.take' && x.ids?.event === event && processOf(x.lane) === b)?.i ?? 0;
}

/** The name of an event by its id, from the step that took or queued it. */
export function eventName(s: Scene, b: string, event: string): string {
  const put = s.rec.findBack(s.at, 0, (x) => (x.kind === 'event.take' || x.kind === 'event.put') && x.ids?.event === event && processOf(x.lane) === b);
  return put?.entity ?? event;
}

/** The lists that the thread last worked out in this event, as cells. */
function result(s: Scene, since: number, own: (x: Step) => boolean): TemplateResult | typeof nothing {
  const found = s.rec.findBack(s.at, since, (x) => own(x) && x.kind !== 'event.take' && lists(x).length > 0);
  if (!found) return nothing;
  const now = found.i === s.at;
  if (found.msg?.key === 'election.chosen') return elected(found, now);
  return html`<div class="strip3">${fitting(lists(found)).map(([name, v]) => html`<span class="${now && (v as Value[]).length > 0 ? 'now' : ''} ${show(v).length > 9 ? 'long' : ''}"><i>${name}</i> <b>${show(v)}</b></span>`)}</div>`;
}

/** An election's decision: the assigned replicas in their order, those passed over struck, and who became leader. */
function elected(x: Step, now: boolean): TemplateResult {
  const { replicas, leader } = x.msg?.args ?? {};
  const all = Array.isArray(replicas) ? replicas : [];
  const at = all.indexOf(leader as Value);
  return html`<div class="strip3"><span class=${now ? 'now' : ''}><i>AR</i> <b>${all.slice(0, 6).map((r, i) => html`${i ? ' ' : ''}${at < 0 || i < at ? html`<s>${show(r)}</s>` : show(r)}`)}</b> <i>→ leader</i> <b>${show(leader)}</b></span></div>`;
}

function lists(x: Step): [string, Value][] {
  return Object.entries(x.msg?.args ?? {}).filter(([, v]) => Array.isArray(v) && v.length <= 6 && v.every((e) => typeof e !== 'object')) as [string, Value][];
}

/** As many of the lists, in their order, as the card has room for. */
function fitting(all: [string, Value][]): [string, Value][] {
  let used = 0;
  return all.slice(0, 3).filter(([name, v], i) => (used += name.length + show(v).length) <= 34 || i === 0);
}

function queue(s: Scene, b: string): TemplateResult {
  const ids = s.doc.names('queue', b);
  const fresh = new Set((s.step?.diff ?? []).filter((d) => d.path[0] === 'queue' && d.path[1] === b && d.after !== undefined).map((d) => d.path[2]));
  const names = ids.map((id) => String(s.doc.record('queue', b, id)?.name ?? id));
  return html`<div class="queue" data-b=${b}><span>${t('queue')}</span>${ids.length === 0 ? html`<i class="line"></i><span>${t('empty')}</span>`
    : html`<ol>${names.slice(0, 2).map((n, i) => html`<li class=${fresh.has(ids[i]!) ? 'now' : ''}>${n}</li>`)}</ol><span>${ids.length > 2 ? '+' + (ids.length - 2) : ids.length === 1 && !rivals(s) ? t('waiting1') : ''}</span>`}</div>`;
}
