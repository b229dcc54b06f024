// Request lanes and broker cards: one line per broker, so that a lane ends at its broker's shield.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon, narrow, tabIs } from '../dom.ts';
import { plain } from '../fmt.ts';
import type { Step, Value } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import type { Recording } from '../record.ts';
import { chartPart } from '../lazy.ts';
import { projector, type Scene, select } from '../state.ts';
import { room } from './charts.ts';
import { clientCard, clientsOf } from './clients.ts';
import { eventName } from './thread.ts';
import { brokersOf, onlyClients, rivals, shownController, states, touched } from './scene.ts';

/** Above this many brokers a card is one line; above this many replicas it counts them. */
const most = 5;
const named = 30;

export function cluster(s: Scene): TemplateResult {
  const b = shownController(s);
  const two = rivals(s) !== undefined;
  const all = chosen(s, b);
  const rest = brokersOf(s).filter((x) => !all.includes(x));
  const live = all.map((x) => b !== undefined && s.doc.has('channel', b, x));
  const lastLive = live.lastIndexOf(true);
  const clients = clientsOf(s);
  const height = room(s).cards / Math.max(1, all.length + clients.length + (rest.length > 0 ? 1 : 0));
  return html`<div class="cluster ${all.length > 3 ? 'compact' : ''}">${all.map((x, i) => html`<div class="slot" data-b=${x}>
      ${tabIs('requests') && !two ? lane(s, b, x, live[i]!, i <= lastLive, i === lastLive, i === 0) : nothing}${tabIs('brokers') ? card(s, b, x, height, all.length > 3) : nothing}</div>`)}
    ${clients.map((c) => html`<div class="slot" data-client=${c}>${tabIs('requests') && !onlyClients(s) ? html`<div class="lane none"></div>` : nothing}${tabIs('brokers') ? clientCard(s, c) : nothing}</div>`)}
    ${rest.length > 0 ? html`<div class="slot rest"><p>${t('brokersMore', { n: rest.length })}: ${rest.map((x) => html`<span>${x} ${s.doc.get('broker', x, 'up') === true ? '' : '✕'}</span>`)}</p></div>` : nothing}</div>`;
}

/** Of many brokers those that there is room for, by id: the controller, those that are down, those that act or change at this step, those not all of whose replicas are online. */
function chosen(s: Scene, b: string | undefined): string[] {
  const all = brokersOf(s);
  if (all.length <= most) return all;
  const fresh = touched(s, 'chip');
  const acting = new Set(s.step?.lane.split(/[.>]/));
  const troubled = (x: string): boolean => [...s.doc.words('view', 'chip', x)].some((tp) => s.doc.record('view', 'chip', x, tp)?.state !== 'OnlineReplica');
  const rank = new Map(all.map((x) => [x, x === b ? 0 : s.doc.get('broker', x, 'up') !== true ? 1 : fresh.has(x) || acting.has(x) ? 2 : troubled(x) ? 3 : 4]));
  const kept = new Set([...all].sort((x, y) => rank.get(x)! - rank.get(y)!).slice(0, most));
  return all.filter((x) => kept.has(x));
}

interface Chip { id: string; code: string; epochs: string; state: string; error: string; now: boolean; up: boolean }

function chips(s: Scene, lane: string, up: boolean): Chip[] {
  const fresh = touched(s, 'lane', lane);
  return s.doc.names('view', 'lane', lane).map((id) => {
    const r = s.doc.record('view', 'lane', lane, id) ?? {};
    const epochs = [r.controllerEpoch, r.brokerEpoch].filter((v) => v !== undefined).map((v) => plain(String(v))).join('·');
    return { id, code: String(r.code), epochs, state: String(r.state), error: r.error === undefined || r.error === 'NONE' ? '' : String(r.error), now: fresh.has(id), up };
  });
}

const answers = new WeakMap<Recording, Map<string, Step[]>>();

function append(byLane: Map<string, Step[]>, x: Step): void {
  const list = byLane.get(x.lane);
  if (list) list.push(x);
  else byLane.set(x.lane, [x]);
}

/** The answer that a lane saw last: what was asked, and what it came to. */
function lately(s: Scene, name: string): Step | undefined {
  let byLane = answers.get(s.rec);
  if (!byLane) {
    byLane = new Map();
    for (let i = 0; i < s.rec.length; i++) {
      const x = s.rec.step(i)!;
      if (x.kind === 'resp') append(byLane, x);
    }
    answers.set(s.rec, byLane);
  }
  return byLane.get(name)?.findLast((x) => x.i <= s.at);
}

/** A lane at rest: the word, and what it carried last. */
function resting(s: Scene, name: string): TemplateResult {
  const last = lately(s, name);
  const error = String(last?.msg?.args?.error ?? 'NONE');
  const gone = last?.diff?.find((d) => d.path[0] === 'view' && d.path[1] === 'lane')?.before as Record<string, Value> | undefined;
  return html`<span class="idle">${t('idle')}</span>${last && gone ? html`<span class="lately" title=${String(last.entity ?? '')}>${t('lately', { what: String(gone.code) })} ${error === 'NONE' ? html`✓<span class="hidden">OK</span>` : `✕ ${error}`}</span>` : nothing}`;
}

function lane(s: Scene, b: string | undefined, to: string, live: boolean, bus: boolean, end: boolean, top: boolean): TemplateResult {
  const name = `${b}>${to}`;
  const all = b === undefined ? [] : chips(s, name, false);
  const upstream = b === undefined ? [] : chips(s, `${to}>${b}`, true).filter((c) => to !== b || !all.some((x) => x.id === c.id));
  const trays = s.doc.names('view', 'tray', name).map((w) => s.doc.text('view', 'tray', name, w));
  const wires = [...all.filter((c) => c.state !== 'queued'), ...upstream];
  const queued = all.filter((c) => c.state === 'queued');
  const back = s.step?.kind === 'resp' && s.step.lane === name ? s.step : undefined;
  const fenced = s.step?.kind === 'req.fenced' && (s.step.lane === name || s.step.lane === to || s.step.lane.startsWith(to + '.')) ? s.step : undefined;
  const flag = `${bus ? 'bus' : ''} ${end ? 'end' : ''} ${top ? 'start' : ''}`;
  if (!live && wires.length === 0) {
    if (!s.doc.has('view', 'lead')) return html`<div class="lane none"></div>`;
    return html`<div class="lane none ${flag}"><span class="word">${t('noLane')}<br>${t('notLive', { b: to })}</span></div>`;
  }
  const idle = wires.length + queued.length + trays.length === 0 && !back;
  return html`<div class="lane ${live ? '' : 'none'} ${flag} ${wires.some((c) => c.now) ? 'now' : ''}" role="group" aria-label="${t('requests')} → ${to}">
    ${narrow() ? html`<b class="lname">→ ${to}</b>` : nothing}
    ${live ? html`<i class="branch"></i>` : nothing}${idle ? resting(s, name) : nothing}
    ${wires[0]?.now && wires[0].state === 'flight' ? html`<i class="trail"></i>` : nothing}${wires.slice(0, 1).map((c) => chip(fenced ? { ...c, error: '✕' } : c, 'wire'))}
    ${wires.length > 1 ? html`<span class="plus">+${wires.length - 1}</span>` : nothing}
    ${back ? html`<span class="answer">${String(back.msg?.args?.error ?? '') === 'NONE' ? 'OK' : String(back.msg?.args?.error ?? '')} ←</span>` : nothing}
    ${fenced ? html`<span class="refused">${String(fenced.msg?.args?.error ?? fenced.entity ?? '')}</span>` : nothing}
    <div class="below">${queued.slice(0, queued.length > 2 ? 1 : 2).map((c) => chip(c, 'queued'))}${queued.length > 2 ? html`<span class="plus">+${queued.length - 1}</span>` : nothing}
      ${queued.length === 0 && trays.length > 0 ? html`<span class="tray" title=${t('tray')}>${trays.slice(0, 3).join(' ')}</span>` : nothing}</div>
    ${icon('shield', 'shield')}</div>`;
}

function chip(c: Chip, where: string): TemplateResult {
  return html`<button class="req ${where} ${c.now ? 'now' : ''} ${c.up ? 'up' : ''} ${c.error ? 'bad' : ''}" tabindex="-1" @click=${() => select(['view', 'lane'], 'request')}>
    <b>${c.up ? '←' : ''}${c.code}</b>${c.epochs ? html`<small>${c.epochs}</small>` : nothing}</button>`;
}

function card(s: Scene, b: string | undefined, x: string, height: number, compact: boolean): TemplateResult {
  const up = s.doc.get('broker', x, 'up') === true;
  const epoch = s.doc.text('broker', x, 'epoch');
  const fresh = (s.step?.diff ?? []).some((d) => d.path[0] === 'broker' && d.path[1] === x && d.path[2] === 'epoch');
  const changed = touched(s, 'broker').has(x);
  const standing = s.doc.get('view', 'controller', x);
  const plainly = (compact || (height < 110 && !narrow())) && up && s.doc.get('broker', x, 'state') === 3; // RUNNING goes without saying
  const taker = thinks(s, x);
  const many = s.doc.count('view', 'chip', x) > named;
  const { shown, more, small, foot: room } = many ? { shown: [], more: 0, small: true, foot: false } : pick(s, x, height + (projector.value ? 26 : plainly ? 24 : compact ? 8 : 0) - (taker === nothing ? 0 : 18));
  return html`<article class="card ${up ? '' : 'down'} ${small ? 'small' : ''} ${(fresh || changed) && !s.hidden ? 'changed' : ''}" aria-label=${t('broker', { b: x })}>
    <header><h3>${t('broker', { b: x })}</h3>${standing ? html`<span class="crown ${String(standing)}" title=${standing === 'stale' ? t('stale') : t('controller')}>${icon('crown')}</span>` : nothing}${many && !up ? html`<span class="state" title=${s.doc.text('broker', x, 'exit')}><b>✕ ${t('down')}</b></span>` : html`<code class=${fresh ? 'now' : ''}>${plain(epoch)}</code>`}</header>
    ${plainly || (many && !up) ? nothing : html`<p class="state">${up ? s.doc.text('view', 'broker', x) : html`<b>✕ ${t('down')}</b> ${s.doc.text('broker', x, 'exit')}`}</p>`}
    ${taker}<ul>${many ? chartPart()?.replicaCounts(s, x, up) : small ? tokens(s, x, shown, up) : shown.map((tp) => replica(s, x, tp, up))}</ul>
    ${room ? html`<p class="foot">${foot(s, b, x, up, more)}</p>` : nothing}</article>`;
}

/** Whom a broker takes for the controller, where that is not the one whose beliefs are shown. */
function thinks(s: Scene, x: string): TemplateResult | typeof nothing {
  const active = s.doc.get('ctl', x, 'active');
  if (active === undefined || String(active) === s.doc.text('view', 'lead')) return nothing;
  return html`<p class="state">activeControllerId ${String(active).replace('-', '−')}</p>`;
}

/** The replicas there is room for: what differs and what changes first. */
function pick(s: Scene, x: string, height: number): { shown: string[]; more: number; small: boolean; foot: boolean } {
  const all = s.doc.names('view', 'chip', x);
  const free = height - 72; // what header, state line and margins leave
  const wide = narrow() ? 99 : Math.max(1, Math.floor((free + 5) / 33));
  if (all.length <= wide) return { shown: all, more: 0, small: false, foot: narrow() || free - all.length * 33 >= 16 };
  const room = (all.length > 9 ? 4 : 5) * Math.max(1, Math.floor((free - 14) / 25)); // two digits and a star need more
  const fresh = touched(s, 'chip', x);
  const rank = (tp: string): number => {
    const r = s.doc.record('view', 'chip', x, tp);
    return fresh.has(tp) ? 0 : r?.role === '' ? 1 : r?.state !== 'OnlineReplica' ? 2 : r.role === 'leader' ? 3 : 4;
  };
  const kept = new Set([...all].sort((a, b) => rank(a) - rank(b)).slice(0, room));
  return { shown: all.filter((tp) => kept.has(tp)), more: all.length - kept.size, small: true, foot: true };
}

/** What one replica is, in words. */
function words(r: Record<string, Value>, tp: string, off = false): string {
  const st = states[String(r.state)];
  if (off) return `${tp}, ${t('notHosted')}`;
  return [tp, st ? t(st.code) : '', r.role === 'leader' ? t('leader') : r.role === 'follower' ? t('follower') : '', r.isr === true ? t('inIsr') : t('outIsr')].filter(Boolean).join(', ');
}

/** Listed somewhere, but the running broker hosts nothing of it. */
function isOff(r: Record<string, Value>, up: boolean): boolean { return up && r.role === '' && (r.zk === true || r.ctl === true); }

function replica(s: Scene, x: string, tp: string, up: boolean): TemplateResult {
  const r = s.doc.record('view', 'chip', x, tp) as Record<string, Value>;
  const now = touched(s, 'chip', x).has(tp) && !s.hidden;
  const click = (): void => select(['view', 'chip', x, tp]);
  if (isOff(r, up)) return html`<li data-tp=${tp} class="rep off ${now ? 'now' : ''}"><button tabindex="-1" @click=${click}><span class="tp">${tp}</span> <span>${t('notHosted')}</span></button></li>`;
  const st = states[String(r.state)];
  return html`<li data-tp=${tp} class="rep ${now ? 'now' : ''}"><button tabindex="-1" title=${words(r, tp)} @click=${click}>
    <span class="st ${st?.code ?? 'NX'}">${st ? `${st.glyph} ${st.code}` : '·'}</span><span class="tp ${r.isr === true ? 'in' : 'out'}">${tp}</span>${r.role === 'leader' ? icon('star', 'star') : nothing}${r.zk !== true && r.ctl !== true ? html`<i>${t('stray')}</i>` : nothing}<span class="hidden">${words(r, tp)}</span></button></li>`;
}

/** Many replicas: per topic the partition numbers, each with the glyph of its state. */
function tokens(s: Scene, x: string, shown: string[], up: boolean): TemplateResult[] {
  const fresh = touched(s, 'chip', x);
  const topics = [...new Set(shown.map((tp) => tp.slice(0, tp.lastIndexOf('-'))))];
  return topics.map((topic) => html`<li class="topic"><span>${topic}</span>${shown.filter((tp) => tp.slice(0, tp.lastIndexOf('-')) === topic).map((tp) => {
    const r = s.doc.record('view', 'chip', x, tp) as Record<string, Value>;
    const st = states[String(r.state)];
    const off = isOff(r, up);
    return html`<button tabindex="-1" data-tp=${tp} class="tok ${r.role === 'leader' ? 'lead' : ''} ${off ? 'off' : st?.code ?? 'NX'} ${r.isr === true ? 'in' : ''} ${fresh.has(tp) && !s.hidden ? 'now' : ''}" title=${words(r, tp, off)} @click=${() => select(['view', 'chip', x, tp])}>${off || !st || st.code === 'ON' ? '' : st.glyph}${r.role === 'leader' ? '★' : ''}${tp.slice(tp.lastIndexOf('-') + 1)}<span class="hidden">${words(r, tp, off)}</span></button>`;
  })}</li>`);
}

/** One line below: what else is worth knowing of this broker. */
function foot(s: Scene, b: string | undefined, x: string, up: boolean, more: number): string {
  if (more > 0) return t('replicasMore', { n: more });
  if (!up) return '';
  const chips = s.doc.names('view', 'chip', x).map((tp) => s.doc.record('view', 'chip', x, tp));
  if (chips.length > 0 && chips.every((r) => r?.role === '' && r.log === true)) return t('onDisk');
  const queue = s.doc.names('queue', x);
  const event = s.doc.text('ctl', x, 'event');
  if (x !== b && event) return `${t('thread')}: ${eventName(s, x, event)}${queue.length > 0 ? ` · ${t('queue')} ${queue.length}` : ''}`;
  if (x !== b && queue.length > 0) return `${t('queue')}: ${queue.slice(0, 2).map((id) => String(s.doc.record('queue', x, id)?.name ?? id)).join(' · ')}`;
  const seen = s.doc.get('broker', x, 'controllerEpoch');
  return seen !== undefined && s.doc.count('view', 'controller') > 1 ? `${t('epoch')} ${String(seen)}` : '';
}
