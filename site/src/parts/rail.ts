// The list of stops, by act.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../dom.ts';
import { plain } from '../fmt.ts';
import type { Stop } from '../lesson.ts';
import { acts, answers, gotoStop, lesson, openAsk, sheet, stopIndex, stops, veiled } from '../state.ts';
import { t } from '../i18n.ts';

export function rail(): TemplateResult {
  const all = stops.value;
  const here = stopIndex.value;
  const open = openAsk.value;
  const l = lesson.value;
  return html`<nav class="rail" aria-label=${t('menu')}><h2>${l ? `${l.number} · ${l.title}` : ''}</h2>
    ${acts.value.map((a, k) => {
      const own = all.map((s, i) => ({ s, i })).filter((x) => x.s.act === k);
      if (own.length === 0) return nothing;
      return html`<h3>${plain(l && k < l.acts.length ? `${t('act')} ${k + 1} · ${a.title}` : a.title)}</h3><ol>${own.map(({ s, i }) => item(s, i, here, open))}</ol>`;
    })}</nav>`;
}

function item(s: Stop, i: number, here: number, open: number): TemplateResult {
  const secret = open >= 0 && i > open;
  const unsaid = (open >= 0 && i >= open) || (veiled.value && i >= here);
  return html`<li class="${i === here ? 'here' : ''} ${i > here ? 'ahead' : ''}"><button aria-current=${i === here ? 'step' : 'false'} ?disabled=${secret} @click=${() => { gotoStop(i); sheet.value = 'none'; }}>
    <span>${s.n}</span><span class="title">${unsaid ? '···' : plain(s.title)}</span>${s.ask ? askMark(s) : nothing}</button></li>`;
}

/** ◆ right, ◇ wrong or open: never by colour alone, the words stand in the label. */
export function askMark(s: Stop): TemplateResult {
  const given = answers.value[s.id];
  const right = s.ask?.choices.some((c) => c.right && c.id === given);
  if (given === undefined || given === '') return html`<span class="ask" title=${given === '' ? t('skipped') : t('predictFirst')}>${icon('ask')}</span>`;
  return right ? html`<span class="ask good" title=${t('right')}>${icon('askDone')}</span>` : html`<span class="ask bad" title=${t('wrong')}>${icon('ask')}</span>`;
}
