// The prediction card: asked before a stop is told, answered after.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../dom.ts';
import { t } from '../i18n.ts';
import { type Ask, type Choice, isRight, type Stop } from '../lesson.ts';
import { answer, answers, asked, scene, stopIndex, stops, sure, veiled } from '../state.ts';
import { again } from './again.ts';
import { answered, fields } from './asks.ts';
import { askMark } from './rail.ts';

/** The question to show: the open one, else the last one answered in this or the two stops before. */
export function predict(): TemplateResult | typeof nothing {
  const open = asked.value;
  if (open) return openCard(open);
  if (veiled.value) return nothing;
  const here = stopIndex.value;
  for (let i = here; i >= Math.max(0, here - 2); i--) {
    const s = stops.value[i];
    if (s?.ask && answers.value[s.id] !== undefined) return told(s, s.ask);
  }
  return nothing;
}

function openCard(s: Stop): TemplateResult {
  const ask = s.ask!;
  return html`<form class="predict" @submit=${(e: Event) => commit(e, s)} @input=${(e: Event) => checkable(e)?.setCustomValidity('')}><fieldset><legend><span class="meta">${icon('ask')} ${t('stopN', { n: s.n })} · ${t('predictFirst')}</span>${ask.question}</legend>
    ${ask.kind === 'choice' || ask.kind === 'stop' ? choices(ask.choices, 'radio') : ask.kind === 'multi' ? choices(ask.choices, 'checkbox') : fields(s, ask, scene.value!)}</fieldset>
    <div class="row2"><button class="primary" type="submit">${t('commit')}</button><button type="button" @click=${() => answer(s.id, '')}>${t('skipAsk')}</button><label class="sure"><input type="checkbox" name="sure"> ${t('sure')}</label></div></form>`;
}

function choices(list: Choice[], type: 'radio' | 'checkbox'): TemplateResult[] {
  return list.map((c) => html`<label class="choice"><input type=${type} name="choice" value=${c.id} ?required=${type === 'radio'}> <span>${c.text}</span></label>`);
}

/** The first box of a question with several right answers: it says that one is wanted. */
function checkable(e: Event): HTMLInputElement | null { return (e.currentTarget as HTMLElement).querySelector<HTMLInputElement>('input[type=checkbox][name=choice]'); }

function commit(e: Event, s: Stop): void {
  e.preventDefault();
  const data = new FormData(e.currentTarget as HTMLFormElement);
  const given = data.getAll('choice').join(s.ask!.kind === 'move' ? '>' : ',').trim();
  if (given !== '') { answer(s.id, given, data.has('sure')); return; }
  const box = checkable(e);
  box?.setCustomValidity(t('pickOne'));
  box?.reportValidity();
}

interface Told { text: string; why: string; mark: 'good' | 'bad' | ''; own: boolean }

function told(s: Stop, ask: Ask): TemplateResult {
  const given = answers.value[s.id]!;
  const rows = ask.kind === 'choice' || ask.kind === 'stop' || ask.kind === 'multi' ? byChoice(ask, given) : answered(ask, given);
  const others = ask.choices.filter((c) => !rows.some((r) => r.mark && r.why === c.why));
  return html`<section class="predict told"><p class="meta">${askMark(s)} ${t('stopN', { n: s.n })} · ${t('yourPrediction')}${sure.value.includes(s.id) ? ' · ' + t('wasSure') : ''}</p><h3>${ask.question}</h3>
    ${rows.map((r) => html`<div class="choice ${r.mark}">${r.mark === 'good' ? icon('check') : r.mark === 'bad' ? icon('cross') : nothing}<span>${r.text}${r.mark ? html`<small>${r.own ? html`<b>${t('yours')}</b> ` : nothing}${r.why}</small>` : nothing}</span>
      <span class="hidden">${r.mark === 'good' ? t('right') : r.mark === 'bad' ? t('wrong') : ''}</span></div>`)}
    ${others.length ? html`<details><summary>${t('otherAnswers')}</summary>${others.map((c) => html`<p><b>${c.text}</b> ${c.why}</p>`)}</details>` : nothing}${again(s)}</section>`;
}

function byChoice(ask: Ask, given: string): Told[] {
  const picked = ask.kind === 'multi' ? given.split(',') : [given];
  const well = isRight(ask, given);
  return ask.choices.map((c) => ({ text: c.text, why: c.why, own: picked.includes(c.id) && !(well && picked.length === 1), mark: c.right ? 'good' : picked.includes(c.id) ? 'bad' : '' }));
}
export type { Told };
