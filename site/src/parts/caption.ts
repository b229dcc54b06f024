// The headline of a stop: what just happened, and one sentence of why. On a phone also the chip that says where.
import { html, nothing, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import { plain } from '../fmt.ts';
import { asked, fork, lesson, type Scene, veiled } from '../state.ts';
import { embedded } from '../link.ts';
import { t } from '../i18n.ts';

/** Prose with `code` in it, its backticks as elements. */
export function prose(text: string, of: (text: string) => unknown = (x) => x): TemplateResult[] {
  return text.split('`').map((part, i) => (i % 2 ? html`<code>${part}</code>` : html`${of(part)}`));
}

/** Puts links to the glossary into a text, for terms that are not known yet; it comes behind the first picture. */
export const terms = signal<((text: string, known: Set<string>) => unknown) | undefined>(undefined);

/** A sentence with such links where they lead nobody away from what only this page has: on the line of a lesson. */
function linked(sentence: string): TemplateResult[] {
  const mark = lesson.value && !fork.value && !embedded ? terms.value : undefined;
  const known = new Set<string>();
  return prose(sentence, mark && ((x) => mark(x, known)));
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
    <p>${stop ? linked(plain(stop.sentence)) : nothing}</p></div>`;
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
