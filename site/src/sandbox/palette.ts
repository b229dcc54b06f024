// The palette: every verb of the script language, by what it is about. A press does its line; what needs more opens a form.
import { html, nothing, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import type * as core from '../core.ts';
import { scene } from '../state.ts';
import { act, acting, broker, next } from './world.ts';
import { weatherBox } from './weather.ts';
import { w } from './words.ts';

const groups = ['cluster', 'topics', 'config', 'zookeeper', 'time', 'schedule', 'guards'] as const;
type Group = (typeof groups)[number];

/** In an exercise the verbs that may be used; all when undefined. */
export const allowed = signal<string[] | undefined>(undefined);

function isAllowed(words: string): boolean {
  return allowed.value === undefined || allowed.value.some((v) => words === v || words.startsWith(v + ' ') || v.startsWith(words + ' ') || v.startsWith(words + '.'));
}

/** The verb whose form is open. */
const open = signal('');

function groupOf(words: string): Group | undefined {
  const first = words.split(' ')[0]!;
  const of: Record<string, Group> = { broker: 'cluster', logdir: 'cluster', topic: 'topics', reassign: 'topics', 'kafka-reassign-partitions': 'topics', elect: 'topics', produce: 'topics', lag: 'topics', 'catch-up': 'topics', alterisr: 'topics', request: 'topics',
    config: 'config', notice: 'config', zk: 'zookeeper', client: 'zookeeper', clock: 'time', wait: 'time', skew: 'time', until: 'time', expect: 'time', never: 'time', hold: 'schedule', release: 'schedule', deliver: 'schedule', drop: 'schedule',
    delay: 'schedule', duplicate: 'schedule', guard: 'guards', fix: 'guards', order: 'guards' };
  // start and run are other spellings; the cluster is set when the world begins.
  return words === 'start' || words === 'run' || words === 'cluster' ? undefined : of[first] ?? 'cluster';
}

/** A verb without the word that its group says already. */
function label(words: string): string { return words.replace(/^(broker|topic|config|zk) /, ''); }

/** The line of a verb that needs nothing but a broker, or nothing at all. */
function quick(f: core.Form): string | undefined {
  if (f.slots.length === 0) return f.words;
  return f.slots.length === 1 && f.slots[0]!.name === 'N' ? `${f.words} ${broker.value}` : undefined;
}

function button(f: core.Form): TemplateResult {
  const line = quick(f);
  const o = line === undefined ? undefined : next.value?.verbs.find((v) => v.line === line);
  const no = o?.legal === false;
  if (line !== undefined) return html`<button class="box ${no ? 'no' : ''}" ?disabled=${acting.value || no} title=${no ? o.reason ?? line : `${line} — ${f.about}`} @click=${() => void act(line)}>${label(f.words)}${no ? html`<span class="hidden">: ${o.reason}</span>` : nothing}</button>`;
  return html`<button class="box" aria-expanded=${open.value === f.words} title="${f.usage} — ${f.about}" @click=${() => { open.value = open.value === f.words ? '' : f.words; }}>${label(f.words)}…</button>`;
}

/** The line that a filled form means. */
function lineOf(f: core.Form, given: string[]): string {
  let line = f.words;
  f.slots.forEach((s, i) => {
    const v = (given[i] ?? '').trim();
    if (v === '') return;
    line += i === 0 && f.dotted ? '.' + v : ` ${s.lead ? s.lead + ' ' : ''}${v}`;
  });
  return line;
}

const draft = signal<string[]>([]);

function form(f: core.Form): TemplateResult {
  const line = lineOf(f, draft.value);
  const submit = (e: Event): void => {
    e.preventDefault();
    void act(line).then((ok) => { if (ok) { open.value = ''; draft.value = []; } });
  };
  return html`<form class="verb" @submit=${submit} aria-label=${f.usage}><p class="hint">${f.about}</p>
    ${f.slots.map((s, i) => html`<label>${s.lead ? s.lead + ' ' : ''}${s.name}${s.optional ? html` <small>${w('optional')}</small>` : nothing}
      <input list="values-${i}" ?required=${!s.optional} autocomplete="off" spellcheck="false" .value=${draft.value[i] ?? ''}
        @input=${(e: Event) => { const d = [...draft.value]; d[i] = (e.target as HTMLInputElement).value; draft.value = d; }}></label>
      <datalist id="values-${i}">${[...new Set(s.values)].slice(0, 200).map((v) => html`<option value=${v}></option>`)}</datalist>`)}
    <p class="echo"><code>${line}</code></p><button class="primary" ?disabled=${acting.value}>${w('do')}</button></form>`;
}

/** Time that a slider lets pass, and how far a clock is off: minutes. */
const minutes = signal(15);
const off = signal(0);

function sliders(): TemplateResult {
  const value = (e: Event): number => Number((e.target as HTMLInputElement).value);
  return html`<div class="quick">${['+1s', '+18s', '+15m'].map((t) => html`<button class="box" ?disabled=${acting.value} title="clock ${t}" @click=${() => void act('clock ' + t)}>${t}</button>`)}</div>
    <label class="slide">${w('clock', { m: minutes.value })}<input type="range" min="1" max="60" .value=${String(minutes.value)} @input=${(e: Event) => { minutes.value = value(e); }}></label>
    <button class="box" ?disabled=${acting.value} @click=${() => void act(`clock +${minutes.value}m`)}>clock +${minutes.value}m</button>
    <label class="slide">${w('skewOf', { b: broker.value, m: off.value })}<input type="range" min="-30" max="30" .value=${String(off.value)} @input=${(e: Event) => { off.value = value(e); }}></label>
    <button class="box" ?disabled=${acting.value} @click=${() => void act(`skew ${broker.value} ${off.value < 0 ? '' : '+'}${off.value}m`)}>skew ${broker.value} ${off.value < 0 ? '' : '+'}${off.value}m</button>`;
}

/** How long a process stands still: seconds. */
const stall = signal(20);

/** A pause with its end: what a long garbage collection is. */
function pauses(): TemplateResult {
  const b = broker.value;
  const no = next.value?.verbs.find((v) => v.line === `broker pause ${b}`)?.legal === false;
  const go = async (): Promise<void> => { if (await act(`broker pause ${b}`, '') && await act(`clock +${stall.value}s`)) await act(`broker resume ${b}`); };
  return html`<label class="slide">${w('stall', { b, s: stall.value })}<input type="range" min="1" max="60" .value=${String(stall.value)} @input=${(e: Event) => { stall.value = Number((e.target as HTMLInputElement).value); }}></label>
    <button class="box ${no ? 'no' : ''}" ?disabled=${acting.value || no} title="broker pause ${b} · clock +${stall.value}s · broker resume ${b}" @click=${() => void go()}>pause ${b} · ${stall.value} s</button>`;
}

export function palette(): TemplateResult {
  const forms = next.value?.forms ?? [];
  const brokers = forms.find((f) => f.words === 'broker kill')?.slots[0]?.values ?? scene.value?.doc.names('broker') ?? [];
  return html`<aside class="palette" aria-label=${w('palette')}>
    <fieldset class="pick"><legend>${w('forBroker')}</legend><div class="seg">${brokers.map((b) => html`<button aria-pressed=${b === broker.value} @click=${() => { broker.value = b; }}>${b}</button>`)}</div></fieldset>
    ${groups.map((g) => {
      const mine = forms.filter((f) => groupOf(f.words) === g && isAllowed(f.words));
      const shown = mine.find((f) => f.words === open.value);
      if (mine.length === 0) return nothing;
      return html`<section><h2>${w('group.' + g)}</h2><div class="verbs">${mine.map(button)}</div>${shown ? form(shown) : nothing}${allowed.value !== undefined ? nothing : g === 'time' ? sliders() : g === 'cluster' ? pauses() : nothing}</section>`;
    })}${allowed.value === undefined ? weatherBox() : nothing}</aside>`;
}
