// The list of steps with its filters. Only the rows in view are drawn.
import { html, type TemplateResult } from 'lit-html';
import { computed, signal } from '@preact/signals-core';
import { vars } from '../dom.ts';
import { cut, seconds, stepText } from '../fmt.ts';
import type { Step } from '../gen/trace.ts';
import { processOf } from '../parts/scene.ts';
import { goto, rec, type Scene } from '../state.ts';
import { w } from './words.ts';

const families = ['zk', 'watch', 'session', 'event', 'ctx', 'sm', 'req', 'broker', 'config', 'timer', 'admin'] as const;
type Family = (typeof families)[number];
const bad = new Set(['zk.error', 'sm.refuse', 'req.fenced', 'req.drop', 'event.fail', 'event.preempt', 'watch.lost']);
const rowHeight = 26;

const chosen = signal<ReadonlySet<Family>>(new Set(families));
const broker = signal('');
const about = signal('');
const onlyMismatch = signal(false);
const onlyErrors = signal(false);
const top = signal(0);

function familyOf(s: Step): Family {
  const f = s.kind.split('.')[0]!;
  if (f === 'resp') return 'req';
  if (f === 'notice') return 'config';
  return (families as readonly string[]).includes(f) ? (f as Family) : 'admin';
}

function shown(s: Step): boolean {
  if (!chosen.value.has(familyOf(s))) return false;
  if (broker.value !== '' && processOf(s.lane) !== broker.value && !s.lane.split('>').includes(broker.value)) return false;
  if (onlyErrors.value && !bad.has(s.kind) && !s.invariants?.length) return false;
  if (onlyMismatch.value && !s.diff?.some((d) => d.path[0] === 'view' && d.path[1] === 'mismatch')) return false;
  const text = about.value.trim().toLowerCase();
  return text === '' || (s.entity ?? '').toLowerCase().includes(text) || JSON.stringify(s.msg?.args ?? '').toLowerCase().includes(text);
}

/** The steps that pass the filters. */
export const steps = computed<Step[]>(() => rec.value?.trace.steps.filter(shown) ?? []);

function toggle(f: Family): void {
  const next = new Set(chosen.value);
  if (!next.delete(f)) next.add(f);
  chosen.value = next;
}

function filters(s: Scene): TemplateResult {
  const pill = (on: boolean, name: string, press: () => void): TemplateResult => html`<button class="pill" aria-pressed=${on} @click=${press}>${name}</button>`;
  return html`<div class="filters" role="group" aria-label=${w('filters')}>${pill(chosen.value.size === families.length, w('all'), () => { chosen.value = new Set(chosen.value.size === families.length ? [] : families); })}
    ${families.map((f) => pill(chosen.value.has(f), f, () => toggle(f)))}
    <label>${w('broker')} <select @change=${(e: Event) => { broker.value = (e.target as HTMLSelectElement).value; }}><option value="">${w('any')}</option>${s.doc.names('broker').map((b) => html`<option value=${b}>${b}</option>`)}</select></label>
    <label>${w('about')} <input type="search" placeholder="orders-1" .value=${about.value} @input=${(e: Event) => { about.value = (e.target as HTMLInputElement).value; }}></label>
    ${pill(onlyMismatch.value, w('onlyMismatch'), () => { onlyMismatch.value = !onlyMismatch.value; })}${pill(onlyErrors.value, w('onlyErrors'), () => { onlyErrors.value = !onlyErrors.value; })}
    <span class="count">${w('of', { n: steps.value.length, m: s.rec.length })}</span></div>`;
}

/** Moves among the steps that are shown. */
export function next(from: number, by: 1 | -1): void {
  const all = steps.value;
  const s = by > 0 ? all.find((x) => x.i > from) : all.findLast((x) => x.i < from);
  if (s) goto(s.i);
}

/** Brings a step's row into view. */
export function reveal(i: number): void {
  const box = document.querySelector<HTMLElement>('.rows');
  const row = steps.value.findIndex((s) => s.i === i);
  if (!box || row < 0) return;
  const y = row * rowHeight;
  if (y < box.scrollTop || y > box.scrollTop + box.clientHeight - rowHeight) box.scrollTop = Math.max(0, y - box.clientHeight / 2);
}

const texts = new WeakMap<Step, string>();

/** What a step says, as much of it as a row shows; put together once, since every picture has seventy rows. */
function told(x: Step): string {
  let text = texts.get(x);
  if (text === undefined) texts.set(x, text = cut(stepText(x), 120));
  return text;
}

export function stepList(s: Scene): TemplateResult {
  const all = steps.value;
  const first = Math.max(0, Math.floor(top.value / rowHeight) - 10);
  const part = all.slice(first, first + 70);
  return html`<section class="steps" aria-label=${w('steps')}>${filters(s)}
    <div class="rows" tabindex="0" role="group" aria-label=${w('steps')} @scroll=${(e: Event) => { top.value = (e.target as HTMLElement).scrollTop; }}>
      <ol ${vars({ '--rows': all.length })}>${part.map((x, i) => html`<li ${vars({ '--at': first + i })} class="${x.i === s.at ? 'here' : ''} ${bad.has(x.kind) || x.invariants?.length ? 'bad' : ''}"><button aria-current=${x.i === s.at ? 'step' : 'false'} @click=${() => goto(x.i)}>
        <span>${x.i}</span><span>${seconds(x.vtime_ms)}</span><code>${x.kind}</code><span class="what">${told(x)}</span></button></li>`)}</ol>
      ${all.length === 0 ? html`<p class="hint">${w('noSteps')}</p>` : ''}</div></section>`;
}
