// The ledger: each belief on the line of the znode it caches, = or ≠ between them.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { icon, narrow, vars } from '../dom.ts';
import { plain } from '../fmt.ts';
import type { Value } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import { asked, select, type Scene, spot, unfolded } from '../state.ts';
import { room } from './charts.ts';
import { list, onlyClients, processOf, rivals, shownController, touched } from './scene.ts';
import { refusalLines } from './thread.ts';

interface Belief { field: string; value: string; mark: string; from: string[] }
interface Line {
  path: string; label: string; depth: number; order: string; fold: boolean;
  belief: Belief | undefined; other: Belief | undefined; now: boolean;
}
/** A line with all that is drawn of it. */
interface Drawn extends Line {
  present: boolean; value: string; version: string; ephemeral: string;
  armed: number; blind: string[]; bellNow: '' | 'armed' | 'fired'; unseen: boolean; check: string;
}

/** All lines of the ledger in their order; what only lines that are drawn need is not in them yet. */
function lines(s: Scene, b: string | undefined, other?: string): Line[] {
  const changed = touched(s, 'row');
  const believed = b === undefined ? new Set<string>() : touched(s, 'belief', b);
  const znodes = new Set((s.step?.diff ?? []).filter((d) => d.path[0] === 'zk').map((d) => d.path[1]!));
  const read = new Set((s.step?.reads ?? []).filter((p) => p[0] === 'zk').map((p) => p[1]!));
  const out: Line[] = [];
  for (const path of s.doc.words('view', 'row')) {
    const at = s.doc.record('view', 'row', path, 'at');
    if (!at) continue;
    const belief = b === undefined ? undefined : readBelief(s, b, path);
    const theirs = other === undefined ? undefined : readBelief(s, other, path);
    const wrote = (changed.has(path) && s.step?.lane !== 'admin.setup') || znodes.has(path);
    const differs = belief?.mark === '≠' || theirs?.mark === '≠';
    const now = wrote || believed.has(path) || (read.has(path) && (differs || read.size <= 2)) || s.step?.entity === path;
    out.push({ path, label: String(at.label), depth: Number(at.depth), order: String(at.order), fold: at.fold === true, belief, other: theirs, now });
  }
  return out.sort((x, y) => (x.order < y.order ? -1 : x.order > y.order ? 1 : 0));
}

const last: { s?: Scene; b?: string; other?: string; narrow?: boolean; all: Line[] } = { all: [] };

/** The same once for each picture's moment: a world of 200 partitions has some 450 lines, and most pictures change none. */
function linesOnce(s: Scene, b: string | undefined, other: string | undefined): Line[] {
  if (last.s !== s || last.b !== b || last.other !== other || last.narrow !== narrow()) Object.assign(last, { s, b, other, narrow: narrow(), all: lines(s, b, other) });
  return last.all;
}

function truth(s: Scene, path: string): Pick<Drawn, 'present' | 'value' | 'version' | 'ephemeral'> {
  const brief = narrow() ? s.doc.get('view', 'row', path, 'brief') : undefined;
  const value = brief ?? s.doc.get('view', 'row', path, 'value');
  const version = s.doc.get('zk', path, 'version');
  return { present: value !== undefined, value: value === undefined ? '' : plain(String(value)),
    version: version === undefined ? '' : 'v' + String(version), ephemeral: s.doc.text('zk', path, 'owner') };
}

function readBelief(s: Scene, b: string, path: string): Belief | undefined {
  const r = s.doc.record('view', 'belief', b, path);
  if (!r) return undefined;
  const value = String((narrow() ? r.brief : undefined) ?? r.value);
  return { field: String(r.field), value: plain(value), mark: String(r.mark), from: list(r.from).map(String) };
}

function bell(s: Scene, path: string): Pick<Drawn, 'armed' | 'blind' | 'bellNow' | 'unseen'> {
  let armed = 0;
  const blind = new Set<string>();
  for (const kind of s.doc.names('view', 'bell', path)) {
    const r = s.doc.record('view', 'bell', path, kind);
    armed += Number(r?.armed ?? 0);
    list(r?.blind).forEach((c) => blind.add(String(c)));
  }
  const here = s.step?.entity === path;
  const bellNow = here && s.step?.kind === 'watch.arm' ? 'armed' : here && s.step?.kind === 'watch.fire' ? 'fired' : '';
  const lost = blind.size > 0 ? s.rec.lastOf('watch.lost', path, s.at) : -1;
  const unseen = lost >= 0 && lost > s.rec.lastOf('watch.arm', path, s.at);
  return { armed, blind: [...blind], bellNow, unseen };
}

/** The checks of a multi, as lines of the znodes they look at. */
function multiChecks(s: Scene): { path: string; text: string }[] {
  if (s.step?.kind !== 'zk.multi' && s.step?.kind !== 'zk.error') return [];
  return list(s.step.msg?.args?.ops as Value).flatMap((op) => {
    const [kind, path, ...rest] = String(op).split(' ');
    return kind === 'check' && path ? [{ path, text: 'check ' + (rest.at(-1) === 'OK' ? '✓' : '✕') }] : [];
  });
}

/** Chooses the lines there is room for: what happens now, what differs, what is believed, then the rest. */
function choose(all: Line[], room: number, open: boolean): { shown: Line[]; more: number } {
  if (open) return { shown: all, more: 0 };
  const rank = (l: Line): number => (l.now ? 0 : l.belief?.mark === '≠' || l.other?.mark === '≠' ? 1 : l.fold ? 5 : l.belief ? 2 : l.depth === 0 ? 3 : 4);
  const usable = all.filter((l) => !l.fold || l.now);
  if (usable.length <= room && usable.length === all.length) return { shown: all, more: 0 };
  const kept = new Set<Line>();
  for (const { l } of usable.map((l, i) => ({ l, i })).sort((a, b) => rank(a.l) - rank(b.l) || a.i - b.i)) {
    const needs = [l, ...parents(all, l)].filter((x) => !kept.has(x));
    if (kept.size + needs.length <= Math.max(1, room - 1)) needs.forEach((x) => kept.add(x));
  }
  const shown = all.filter((l) => kept.has(l));
  return { shown, more: all.length - shown.length };
}

/** The lines that a line hangs from: those before it with less depth. */
function parents(all: Line[], l: Line): Line[] {
  const out: Line[] = [];
  let depth = l.depth;
  for (let i = all.indexOf(l) - 1; i >= 0 && depth > 0; i--) {
    if (all[i]!.depth >= depth) continue;
    out.push(all[i]!);
    depth = all[i]!.depth;
  }
  return out;
}

export function ledger(s: Scene): TemplateResult {
  const two = rivals(s);
  const b = two ? two[0] : shownController(s);
  const all = linesOnce(s, b, two?.[1]);
  const { shown: chosen, more } = choose(all, room(s).lines - refusalLines(s), unfolded.value);
  const checks = new Map(multiChecks(s).map((op) => [op.path, op.text]));
  const shown = chosen.map((l): Drawn => ({ ...l, ...truth(s, l.path), ...bell(s, l.path), check: checks.get(l.path) ?? '' }));
  const from = s.step && processOf(s.step.lane) === b && !s.hidden && !two ? shown.findIndex((l) => l.now && l.belief?.mark === '≠') : -1;
  const few = onlyClients(s);
  return html`<div class="ledger ${unfolded.value ? 'open' : ''} ${two ? 'two' : ''}" role="table" aria-label="${t('zk')} ${t('truth')}${few ? '' : `, ${t('controller')} ${t('belief')}`}" tabindex="0">
    <div class="hidden" role="row"><span role="columnheader">${t('zk')}</span>${few ? nothing : html`<span role="columnheader">=</span>${(two ?? ['']).map((c) => html`<span role="columnheader">${t('controller')} ${c}</span>`)}`}</div>
    ${repeat(shown, (l) => l.path, (l, i) => row(s, l, i, shown, i === from, two))}
    ${more > 0 || unfolded.value ? html`<div class="row more" role="row"><div class="zk" role="cell"><button @click=${() => { unfolded.value = !unfolded.value; }}>${more > 1 ? t('more', { n: more }) : more === 1 ? t('more1') : t('fewer')}</button></div><div class="sp" role="cell"></div><div class="bl" role="cell"></div>${two ? html`<div class="bl other" role="cell"></div>` : nothing}</div>` : nothing}
    ${bracket(s, shown)}</div>`;
}

/** One transaction: a bracket from the first to the last of its znodes that is shown. */
function bracket(s: Scene, shown: Drawn[]): TemplateResult | typeof nothing {
  if (s.step?.kind !== 'zk.multi' || s.hidden) return nothing;
  const paths = new Set(list(s.step.msg?.args?.ops as Value).map((op) => String(op).split(' ')[1]));
  const at = shown.map((l, i) => (paths.has(l.path) ? i : -1)).filter((i) => i >= 0);
  if (at.length < 2) return nothing;
  return html`<i class="bracket" ${vars({ '--top': at[0]!, '--rows': at[at.length - 1]! - at[0]! + 1 })}></i>`;
}

function row(s: Scene, l: Drawn, i: number, shown: Drawn[], arrow: boolean, two: readonly string[] | undefined): TemplateResult {
  const differs = !s.hidden && l.belief?.mark === '≠';
  const now = l.now && !s.hidden;
  const head = l.belief?.mark === '';
  return html`<div class="row ${now ? 'now' : ''} ${tight(l)} ${differs ? 'differs' : ''} ${s.hidden && spot.value === l.path ? 'spot' : ''} ${l.present ? '' : 'gone'} d${l.depth} ${elbow(l, shown[i + 1])}" role="row" data-path=${l.path}>
    <div class="zk" role="cell">
      <button class="name ${name(l).length > 24 ? 'long' : ''}" tabindex="-1" @click=${() => select(['zk', l.path], 'node')}>${narrow() ? name(l).replace('…/', '') : name(l)}</button>
      ${l.version && !narrow() ? html`<span class="v">${l.version}</span>` : nothing}
      ${l.ephemeral ? html`<span class="eph" title=${t('ephemeral', { s: plain(l.ephemeral) })}>${icon('clock')}<span class="hidden">${t('ephemeral', { s: plain(l.ephemeral) })}</span></span>` : nothing}
      ${bellPicture(l)}
      ${l.unseen && !s.hidden ? html`<span class="unseen"><i></i>${t('unseen')}</span>` : nothing}
      ${l.check ? html`<span class="check">${l.check}</span>` : nothing}
      ${l.present && l.value === '' ? nothing : html`<button class="val" tabindex="-1" @click=${() => select(['zk', l.path])}>${l.present ? short(l, now || differs) : t('absent')}</button>`}
    </div>
    <div class="sp" role="cell">${head || !l.belief ? nothing : s.hidden && (l.belief.mark === '≠' || asked.value?.ask?.kind === 'hotspot') ? html`<span class="q" aria-label=${t('hidden')}>?</span>`
      : differs ? html`<span class="ne" aria-label=${t('differ')}>≠</span>` : html`<span class="eq" aria-label=${t('agree')}>=</span>`}</div>
    <div class="bl" role="cell" data-b=${two?.[0] ?? nothing}>${l.belief ? beliefCell(l.belief, head) : nothing}</div>${two ? html`<div class="bl other" role="cell" data-b=${two[1]!}>${l.other && l.other.mark !== '' ? otherCell(l.other, s.hidden) : nothing}</div>` : nothing}
    ${arrow ? html`<i class="arrow" ${vars({ '--rows': i })}></i>` : nothing}
  </div>`;
}

/** Enlarged, a value drops the word before the number. */
function short(l: Drawn, big: boolean): string { return big && /^\w+ \S+$/.test(l.value) && l.belief ? l.value.replace(/^[a-z]+ /, '') : l.value; }

/** What a znode is called on its line; of a notification what sets it apart from the others. */
function name(l: Line): string { return l.label.replace(/^config_change(?=_\d)/, '…'); }

/** How much smaller an enlarged value must be to stand beside its name: characters of 12 and 8 px in a cell of some 270. */
function tight(l: Drawn): '' | 'tight' | 'tighter' {
  const rest = 230 - l.depth * 16 - name(l).length * 8;
  return l.value.length * 12 <= rest ? '' : l.value.length * 9.6 <= rest ? 'tight' : 'tighter';
}

function beliefCell(b: Belief, head: boolean): TemplateResult {
  if (head) return html`<span class="field head">${b.field}</span>`;
  return html`<button class="val" tabindex="-1" @click=${() => select(b.from)}>${b.value}</button><span class="field">${b.field}</span>`;
}

/** What the second controller believes: the line names the field already. */
function otherCell(b: Belief, hidden: boolean): TemplateResult {
  const differs = b.mark === '≠' && !hidden;
  return html`<button class="val ${differs ? 'wrong' : ''}" tabindex="-1" title=${b.field} @click=${() => select(b.from)}>${differs ? html`<b>≠</b><span class="hidden">${t('differ')}</span> ` : nothing}${b.value}</button>`;
}

function elbow(l: Line, next: Line | undefined): string {
  if (l.depth === 0) return '';
  return next && next.depth >= l.depth ? 'mid' : 'end';
}

function bellPicture(l: Drawn): TemplateResult | typeof nothing {
  if (l.blind.length > 0 && l.armed === 0) {
    const label = t('blind', { who: l.blind.join(', ') });
    return html`<span class="bell blind" title=${label}>${icon('blind')}<span class="hidden">${label}</span></span>`;
  }
  if (l.armed === 0 && l.bellNow === '') return nothing;
  const label = l.armed === 1 ? t('watch1') : t('watches', { n: l.armed });
  return html`<span class="bell ${l.bellNow}" title=${label}>${icon('bell')}${l.armed > 1 ? html`<b>${l.armed}</b>` : nothing}<span class="hidden">${label}</span></span>`;
}
