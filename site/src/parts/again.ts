// Another one like this: the same question of another world. The core deals its values, plays it and says which keys hold.
import { html, nothing, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { fill, t } from '../i18n.ts';
import { type Ask, type Choice, type Stop, stopOf } from '../lesson.ts';
import { Recording } from '../record.ts';
import { type Again, sidePart } from '../side.ts';
import { at, enterFork, fork, goto, leaveFork, notice, run } from '../state.ts';

/** How many were dealt of each stop's question, and the values of the last one. */
const dealt = new Map<string, { n: number; values: string }>();
const dealing = signal(false);

/** The stop that a question belongs to; one that was asked again has a number behind it. */
function first(id: string): string { return id.split('~')[0]!; }

/** The button under an answered question; nothing where the answer is the same in every world. */
export function again(s: Stop): TemplateResult | typeof nothing {
  const a = sidePart()?.again[first(s.id)];
  if (!a) return nothing;
  const off = core.status.value.at !== 'ready' || dealing.value;
  return html`<p class="row2 again"><button class="box" ?disabled=${off} @click=${() => void deal(s, a)}>${t('again')}</button>${fork.value?.own ? html`<button type="button" @click=${leaveFork}>${t('wiBack')}</button>` : nothing}${core.status.value.at === 'ready' ? nothing : html`<span class="hint">${t('againWaits')}</span>`}</p>`;
}

async function deal(s: Stop, a: Again): Promise<void> {
  dealing.value = true;
  notice.value = '';
  try {
    const id = first(s.id);
    const before = dealt.get(id) ?? { n: 0, values: '' };
    let n = before.n;
    let seen;
    do seen = await core.openPart(student(a, ++n, 'seen')); while (JSON.stringify(seen.dealt.values) === before.values);
    dealt.set(id, { n, values: JSON.stringify(seen.dealt.values) });
    const from = seen.trace.steps.length;
    const whole = await core.openPart(student(a, n, 'run'));
    const end = await moment(a, whole.dealt.values, from, whole.trace.steps.length - 1);
    const ask = await asks(a, whole.dealt.values, end, s.ask!);
    const rec = new Recording(whole.trace);
    const stop = (i: number): Stop => ({ ...stopOf(rec.step(i)!, run.value), n: 0, id: `${id}~${n}`, ask });
    enterFork({ rec, run: run.value, base: -1, lines: [], own: { ask: stop(from), told: stop(end), back: fork.value?.own?.back ?? at.value } }, from - 1);
    goto(from);
  } catch (e) {
    notice.value = (e as Error).message;
  }
  dealing.value = false;
}

/** The number of a question is who it is dealt to. */
function student(a: Again, n: number, part: string): core.Student { return { exercise: a.exercise, who: String(n), class: '', part }; }

/** The question as it was dealt, with what the core says of each answer right after step `here`. */
async function asks(a: Again, values: Record<string, string>, here: number, like: Ask): Promise<Ask> {
  const choices: Choice[] = [];
  for (const c of a.choices) {
    let id = c.id;
    if (a.value) id = (a.kind === 'move' ? shown(await core.evaluate(here - 1, fill(a.value, values))) + '>' : '') + shown(await core.evaluate(here, fill(a.value, values)));
    const words = { ...values, value: id.replace('>', ' → ') };
    choices.push({ id, text: fill(c.text, words), why: fill(c.why, words), right: a.value !== undefined || await holds(here, fill(c.key!, values)) });
  }
  const out: Ask = { kind: a.kind, question: fill(a.question, values), choices };
  if (like.states) out.states = like.states;
  return out;
}

/** The step that the keys are evaluated at. */
async function moment(a: Again, values: Record<string, string>, from: number, last: number): Promise<number> {
  if (!a.at) return last;
  for (let i = from; i < last; i++) if (await holds(i, fill(a.at, values))) return i;
  return last;
}

async function holds(i: number, key: string): Promise<boolean> { return await core.evaluate(i, `not not (${key})`) === true; }

/** A value as an answer writes it. */
function shown(v: unknown): string { return typeof v === 'string' ? v : JSON.stringify(v); }
