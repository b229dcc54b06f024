// The last card of a lesson: what to keep in mind, and what a later Kafka does instead.
import { html, type TemplateResult } from 'lit-html';
import { t } from '../i18n.ts';
import type { Recap } from '../lesson.ts';

export function recapCard(r: Recap): TemplateResult {
  return html`<section class="recap" aria-label=${t('recap')}><h3>${t('recap')}</h3><ul>${r.points.map((p) => html`<li>${p}</li>`)}</ul>
    <dl><dt>Kafka 3.9</dt><dd>${r.last}</dd><dt>KRaft</dt><dd>${r.kraft}</dd></dl></section>`;
}
