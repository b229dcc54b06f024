// The list of stops, by act.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../dom.ts';
import { plain } from '../fmt.ts';
import { isRight, type Stop } from '../lesson.ts';
import { acts, answers, gotoStop, lesson, lit, openAsk, pointed, run, sheet, stopIndex, stops, sure, veiled } from '../state.ts';
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
    })}${tally()}</nav>`;
}

/** How often the reader was right, of what was answered and of what seemed sure. */
function tally(): TemplateResult | typeof nothing {
  const given = stops.value.filter((s) => s.ask && answers.value[s.id]);
  if (given.length === 0) return nothing;
  const right = given.filter((s) => isRight(s.ask!, answers.value[s.id]!));
  const firm = given.filter((s) => sure.value.includes(s.id));
  return html`<p class="tally">${t('tally', { right: right.length, of: given.length })}${firm.length ? ' ' + t('tallySure', { right: firm.filter((s) => right.includes(s)).length, of: firm.length }) : ''}</p>`;
}

/** Tells which step is pointed at, for the code beside. */
function point(s: Stop | undefined): void { pointed.value = s && s.run === run.value ? s.at : -1; }

function item(s: Stop, i: number, here: number, open: number): TemplateResult {
  const secret = open >= 0 && i > open;
  const unsaid = (open >= 0 && i >= open) || (veiled.value && i >= here);
  return html`<li class="${i === here ? 'here' : ''} ${i > here ? 'ahead' : ''} ${s.run === run.value && lit.value.has(s.at) ? 'lit' : ''}" @mouseenter=${() => point(s)} @mouseleave=${() => point(undefined)} @focusin=${() => point(s)} @focusout=${() => point(undefined)}><button aria-current=${i === here ? 'step' : 'false'} ?disabled=${secret} @click=${() => { gotoStop(i); sheet.value = 'none'; }}>
    <span>${s.n}</span><span class="title">${unsaid ? '···' : plain(s.title)}</span>${s.ask ? askMark(s) : nothing}</button></li>`;
}

/** ◆ right, ◇ wrong or open: never by colour alone, the words stand in the label. */
export function askMark(s: Stop): TemplateResult {
  const given = answers.value[s.id];
  const right = s.ask && given ? isRight(s.ask, given) : false;
  if (given === undefined || given === '') return html`<span class="ask" title=${given === '' ? t('skipped') : t('predictFirst')}>${icon('ask')}</span>`;
  return right ? html`<span class="ask good" title=${t('right')}>${icon('askDone')}</span>` : html`<span class="ask bad" title=${t('wrong')}>${icon('ask')}</span>`;
}
