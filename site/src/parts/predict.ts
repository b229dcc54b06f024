// The prediction card: asked before a stop is told, answered after.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../dom.ts';
import { t } from '../i18n.ts';
import type { Stop } from '../lesson.ts';
import { answer, answers, asked, stopIndex, stops, veiled } from '../state.ts';
import { askMark } from './rail.ts';

/** The question to show: the open one, else the last one answered in this or the two stops before. */
export function predict(): TemplateResult | typeof nothing {
  const open = asked.value;
  if (open) return openCard(open);
  if (veiled.value) return nothing;
  const here = stopIndex.value;
  for (let i = here; i >= Math.max(0, here - 2); i--) {
    const s = stops.value[i];
    if (s?.ask && answers.value[s.id] !== undefined) return told(s);
  }
  return nothing;
}

function openCard(s: Stop): TemplateResult {
  const commit = (e: Event): void => {
    e.preventDefault();
    const pick = new FormData(e.target as HTMLFormElement).get('choice');
    if (typeof pick === 'string') answer(s.id, pick);
  };
  return html`<form class="predict" @submit=${commit}><fieldset><legend><span class="meta">${icon('ask')} ${t('stopN', { n: s.n })} · ${t('predictFirst')}</span>${s.ask!.question}</legend>
    ${s.ask!.choices.map((c) => html`<label class="choice"><input type="radio" name="choice" value=${c.id} required> <span>${c.text}</span></label>`)}</fieldset>
    <div class="row2"><button class="primary" type="submit">${t('commit')}</button><button type="button" @click=${() => answer(s.id, '')}>${t('skipAsk')}</button></div></form>`;
}

function told(s: Stop): TemplateResult {
  const given = answers.value[s.id];
  return html`<section class="predict told"><p class="meta">${askMark(s)} ${t('stopN', { n: s.n })} · ${t('yourPrediction')}</p><h3>${s.ask!.question}</h3>
    ${s.ask!.choices.map((c) => html`<div class="choice ${c.right ? 'good' : c.id === given ? 'bad' : ''}">${c.right ? icon('check') : c.id === given ? icon('cross') : nothing}<span>${c.text}${c.right || c.id === given ? html`<small>${c.why}</small>` : nothing}</span>
      <span class="hidden">${c.right ? t('right') : c.id === given ? t('wrong') : ''}</span></div>`)}</section>`;
}
