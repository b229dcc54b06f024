// The headline of a stop: what just happened, and one sentence of why. On a phone also the chip that says where.
import { html, nothing, type TemplateResult } from 'lit-html';
import { plain } from '../fmt.ts';
import { asked, fork, type Scene, veiled } from '../state.ts';
import { t } from '../i18n.ts';

/** Prose with `code` in it, its backticks as elements. */
export function prose(text: string): TemplateResult[] {
  return text.split('`').map((part, i) => (i % 2 ? html`<code>${part}</code>` : html`${part}`));
}

/** Whether a headline needs the smaller type to stay on its line. */
export function long(headline = ''): boolean { return headline.length > 42; }

export function caption(s: Scene): TemplateResult {
  const stop = s.stop;
  const f = fork.value;
  const ask = asked.value?.ask;
  if (ask) return html`<div class="caption"><h1 id="headline"><span>${t('predictFirst')}</span></h1><p>${prose(ask.question)}</p></div>`;
  if (veiled.value) return html`<div class="caption"><h1 id="headline"><span>···</span></h1><p>${t('veiled')}</p></div>`;
  return html`<div class="caption"><h1 id="headline" class=${long(stop?.headline) ? 'long' : ''}><span>${stop ? prose(plain(stop.headline)) : t('before')}</span>${stop?.method && !stop.headline.includes(stop.method) ? html` <code>${stop.method}</code>` : nothing}${f ? html` <span class="forked">${f.own ? t('again') : t('wiForked', { n: f.base })}</span>` : nothing}</h1>
    <p>${stop ? prose(plain(stop.sentence)) : nothing}</p></div>`;
}

/** From where to where: the lane of the cause and the lane of the step. */
export function pathChip(s: Scene): TemplateResult | typeof nothing {
  const step = s.hidden ? undefined : s.step;
  if (!step) return nothing;
  const cause = step.causes?.length ? s.rec.step(step.causes[step.causes.length - 1]!) : undefined;
  return html`<div class="chip">${cause && cause.lane !== step.lane ? html`<span>${cause.entity ?? cause.lane}</span> <i>→</i> ` : nothing}<span>${step.entity ?? step.lane}</span><b>${step.kind}</b></div>`;
}

/** What the live region says: the two lines joined. */
export function narration(s: Scene | undefined): string {
  const stop = s?.stop;
  if (asked.value?.ask) return `${t('predictFirst')}. ${asked.value.ask.question}`;
  if (veiled.value) return t('veiled');
  return stop ? plain((stop.headline + (stop.sentence ? '. ' + stop.sentence : '')).replace(/`/g, '')) : '';
}
