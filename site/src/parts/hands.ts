// Hands up: in a hall a class answers a question before its step is told, and who speaks counts the hands, without devices.
import { html, nothing, type TemplateResult } from 'lit-html';
import { effect, signal } from '@preact/signals-core';
import { icon, vars } from '../dom.ts';
import { t } from '../i18n.ts';
import { added } from '../keys.ts';
import type { Choice, Stop } from '../lesson.ts';
import { answer, asked, projector, stopIndex, stops, veiled } from '../state.ts';

/** Hands by stop and choice; a stop is there once somebody has raised one or its answer was shown. Nothing of it is kept. */
const hands = signal<Record<string, number[]>>({});
/** The choice that + and − mean: the one counted last. */
let last = 0;

const keys = ['a', 'b', 'c', 'd'];

/** What hands are raised for; questions of other kinds have nothing to choose from. */
function choicesOf(s: Stop): Choice[] { return ['choice', 'stop', 'multi'].includes(s.ask?.kind ?? '') ? s.ask!.choices.slice(0, keys.length) : []; }

function count(s: Stop, i: number, by: 1 | -1): void {
  const now = choicesOf(s).map((_, k) => hands.value[s.id]?.[k] ?? 0);
  now[i] = Math.max(0, now[i]! + by);
  last = i;
  hands.value = { ...hands.value, [s.id]: now };
}

/** Shows the answer of the open question; what the class said is nobody's own prediction, so it counts as skipped. */
export function reveal(): void {
  const s = asked.value;
  if (!s) return;
  hands.value = { ...hands.value, [s.id]: hands.value[s.id] ?? [] };
  answer(s.id, '');
}

/** While a question with choices is open its letters count hands, and none of them does what it does else. */
effect(() => {
  const s = projector.value ? asked.value : undefined;
  const n = s ? choicesOf(s).length : 0;
  last = 0;
  const bind = (key: string, go: (() => void) | false | undefined): void => {
    if (go) added[key] = go;
    else delete added[key];
  };
  for (const [i, key] of keys.entries()) for (const k of [key, key.toUpperCase()]) bind(k, n > 0 && (() => { if (i < n) count(s!, i, 1); }));
  for (const [key, by] of [['+', 1], ['=', 1], ['-', -1]] as const) bind(key, n > 0 && (() => { count(s!, last, by); }));
  bind('r', s && reveal);
});

/** The choices with a bar each; after the answer was shown what is right of them, and why. */
export function handsUp(): TemplateResult | typeof nothing {
  const open = asked.value !== undefined;
  const s = asked.value ?? stops.value[stopIndex.value];
  if (!s?.ask || (!open && (veiled.value || !hands.value[s.id]))) return nothing;
  const all = choicesOf(s);
  const { order, choices } = s.ask;
  const rows = all.length > 0 ? all : open ? [] : order?.map((id) => choices.find((c) => c.id === id)!) ?? choices.filter((c) => c.right);
  if (rows.length === 0) return nothing;
  const n = rows.map((_, i) => hands.value[s.id]?.[i] ?? 0);
  const most = Math.max(1, ...n);
  const button = (i: number, by: 1 | -1): TemplateResult => html`<button class="sq" aria-label=${t(by > 0 ? 'handMore' : 'handLess', { what: rows[i]!.text })} ?disabled=${by < 0 && n[i] === 0} @click=${() => { count(s, i, by); }}>${by > 0 ? '+' : '−'}</button>`;
  return html`<section class="hands" aria-label=${t('handsUp')}><ol>${rows.map((c, i) => html`<li class=${open ? '' : c.right || order ? 'good' : 'bad'}>
    <p>${all.length > 0 ? html`<kbd>${keys[i]!.toUpperCase()}</kbd> ` : nothing}${open ? nothing : html`${icon(c.right || order ? 'check' : 'cross')}<span class="hidden">${t(c.right || order ? 'right' : 'wrong')}</span> `}${c.text}</p>
    ${all.length > 0 ? html`<div class="count"><i ${vars({ '--n': n[i]! / most })}></i><output aria-label=${t('handsFor', { what: c.text })}>${n[i]}</output>${open ? [button(i, -1), button(i, 1)] : nothing}</div>` : nothing}
    ${open || !c.why ? nothing : html`<small>${c.why}</small>`}</li>`)}</ol></section>`;
}
