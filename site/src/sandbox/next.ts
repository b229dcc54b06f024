// What may happen next: every pending choice with all that can be done with it, what is held, and the timers.
import { html, nothing, type TemplateResult } from 'lit-html';
import type * as core from '../core.ts';
import { seconds } from '../fmt.ts';
import type { Scene } from '../state.ts';
import { act, acting, next, runOn } from './world.ts';
import { w } from './words.ts';

const most = 12;
/** Choices that are there all the time and seldom meant. */
const quiet = new Set(['timer', 'expiry']);

function ways(c: core.Pending): TemplateResult {
  const no = c.ways.filter((o) => !o.legal);
  return html`<div class="verbs">${c.ways.map((o, i) => html`<button class="box ${o.legal ? '' : 'no'}" ?disabled=${acting.value || !o.legal} title=${o.reason ?? o.line} @click=${() => void act(o.line)}>${w('way.' + o.line.split(' ')[0]!)}${i === 0 ? key(c) : nothing}</button>`)}</div>
    ${no.length === c.ways.length ? html`<p class="hint">${no[0]!.reason}</p>` : nothing}`;
}

/** The key that takes the first choice of a kind. */
function key(c: core.Pending): TemplateResult | typeof nothing {
  const k = firstOf('watch')?.id === c.id ? 'N' : firstOf('control')?.id === c.id ? 'V' : '';
  return k ? html` <kbd>${k}</kbd>` : nothing;
}

export function firstOf(kind: string): core.Pending | undefined { return next.value?.choices.find((c) => c.kind === kind); }

function card(c: core.Pending, now: number): TemplateResult {
  const wait = c.due - now;
  return html`<li><h3>${w('choice.' + c.kind)}${c.process ? html` → ${c.process}` : nothing}</h3>
    <p>${c.what} <code>${c.id}</code>${wait > 0 ? html` · ${w('in', { s: seconds(wait) })}` : nothing}</p>${ways(c)}</li>`;
}

export function whatNext(s: Scene): TemplateResult {
  const all = next.value?.choices ?? [];
  const now = s.rec.timeAt(s.at);
  const mine = all.filter((c) => !quiet.has(c.kind));
  const timers = all.filter((c) => quiet.has(c.kind)).slice(0, 4);
  const held = s.doc.names('hold');
  return html`<div class="next"><h2>${w('next')} <small>${w('pending', { n: mine.length })}</small></h2>
    <ul>${held.map((h) => html`<li class="held"><h3>${w('held', { what: h })}</h3><div class="verbs"><button class="primary" ?disabled=${acting.value} @click=${() => void act('release ' + h)}>${w('way.release')}</button></div></li>`)}
    ${mine.slice(0, most).map((c) => card(c, now))}</ul>
    ${mine.length === 0 && held.length === 0 ? html`<p class="hint">${acting.value ? w('working') : w('nothingPending')}</p>` : nothing}
    ${mine.length > most ? html`<p class="hint">${w('more', { n: mine.length - most })}</p>` : nothing}
    ${timers.length ? html`<p class="hint">${w('timers')} ${timers.map((c) => `${c.what} ${w('in', { s: seconds(Math.max(0, c.due - now)) })}`).join(' · ')}</p>` : nothing}
    <div class="seg" role="group" aria-label=${w('after')}>${[false, true].map((v) => html`<button aria-pressed=${runOn.value === v} @click=${() => { runOn.value = v; }}>${w(v ? 'byItself' : 'byHand')}</button>`)}</div></div>`;
}
