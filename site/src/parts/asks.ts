// Questions that are not answered by choosing from a list: an order, a value, a znode on the stage, a move.
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { signal } from '@preact/signals-core';
import { t } from '../i18n.ts';
import { type Ask, bare, isRight, type Stop } from '../lesson.ts';
import { type Scene, spot } from '../state.ts';
import type { Told } from './predict.ts';

/** What the form of a question asks for; the names of its fields are choice. */
export function fields(s: Stop, ask: Ask, scene: Scene): TemplateResult {
  switch (ask.kind) {
    case 'order': return orderFields(s, ask);
    case 'hotspot': return spotField(scene);
    case 'move': return moveFields(ask);
    default: return html`<label class="typed">${t('yourAnswer')} <input type="text" name="choice" required autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="60"></label>`;
  }
}

/** The order on the page, of the stop it belongs to. */
const arranged = signal<{ stop: string; ids: string[] }>({ stop: '', ids: [] });

function orderFields(s: Stop, ask: Ask): TemplateResult {
  const ids = arranged.value.stop === s.id ? arranged.value.ids : ask.choices.map((c) => c.id);
  return html`<ol class="order">${repeat(ids, (id) => id, (id, i) => {
    const text = ask.choices.find((c) => c.id === id)!.text;
    const button = (by: -1 | 1): TemplateResult => html`<button type="button" class="box" data-move="${id} ${by}" aria-label=${t(by < 0 ? 'moveUp' : 'moveDown', { what: text, n: i + 1, of: ids.length })} ?disabled=${i + by < 0 || i + by >= ids.length} @click=${() => shift(s.id, ids, i, by)}>${by < 0 ? '↑' : '↓'}</button>`;
    return html`<li class="choice"><input type="hidden" name="choice" value=${id}><span>${text}</span>${button(-1)}${button(1)}</li>`;
  })}</ol>`;
}

/** Moves an item; the focus stays with it. */
function shift(stop: string, ids: string[], i: number, by: -1 | 1): void {
  const next = [...ids];
  [next[i], next[i + by]] = [next[i + by]!, next[i]!];
  arranged.value = { stop, ids: next };
  const name = (way: number): string => `[data-move="${CSS.escape(ids[i]!)} ${way}"]:not(:disabled)`;
  requestAnimationFrame(() => requestAnimationFrame(() => (document.querySelector<HTMLElement>(name(by)) ?? document.querySelector<HTMLElement>(name(-by)))?.focus()));
}

function spotField(scene: Scene): TemplateResult {
  const paths = scene.doc.names('view', 'row').filter((p) => scene.doc.has('view', 'row', p, 'at'));
  return html`<p class="hint">${t('spotHint')}</p><label class="typed">znode <select name="choice" required @change=${(e: Event) => { spot.value = (e.target as HTMLSelectElement).value; }}>
    <option value="" ?selected=${spot.value === ''}></option>${paths.map((p) => html`<option value=${p} ?selected=${spot.value === p}>${p}</option>`)}</select></label>`;
}

function moveFields(ask: Ask): TemplateResult {
  const field = (label: string): TemplateResult => html`<label class="typed">${label} <select name="choice" required><option value=""></option>${(ask.states ?? []).map((x) => html`<option value=${x}>${x}</option>`)}</select></label>`;
  return html`${field(t('moveFrom'))}${field(t('moveTo'))}`;
}

/** What is said of an answer: of an order each item in its right place, else one's own and the right one. */
export function answered(ask: Ask, given: string): Told[] {
  const known = (id: string): { text: string; why: string } => ask.choices.find((c) => bare(c.id) === bare(id)) ?? { text: id.replace('>', ' → '), why: '' };
  if (ask.kind === 'order') {
    const own = given.split(',');
    return (ask.order ?? []).map((id, i) => ({ ...known(id), text: `${i + 1} · ${known(id).text}${own[i] === id || given === '' ? '' : ' (' + t('yoursAt', { n: own.indexOf(id) + 1 }) + ')'}`, own: false, mark: own[i] === id || given === '' ? 'good' : 'bad' }));
  }
  const rows: Told[] = ask.choices.filter((c) => c.right).map((c) => ({ text: c.text, why: c.why, own: false, mark: 'good' }));
  if (given !== '' && !isRight(ask, given)) rows.unshift({ ...known(given), own: true, mark: 'bad' });
  return rows;
}
