// The last card of a lesson: what to keep in mind, and what a later Kafka does instead.
import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../i18n.ts';
import { asked, lesson, stopIndex, stops } from '../state.ts';

/** The recap, at the last stop of a lesson once its question is answered. */
export function ending(): TemplateResult | typeof nothing {
  const l = lesson.value;
  const r = l?.recap;
  if (!r || asked.value || stops.value[stopIndex.value]?.id !== l.stops.at(-1)?.id) return nothing;
  return html`<section class="recap" aria-label=${t('recap')}><h3>${t('recap')}</h3><ul>${r.points.map((p) => html`<li>${p}</li>`)}</ul>
    <dl><dt>Kafka 3.9</dt><dd>${r.last}</dd><dt>KRaft</dt><dd>${r.kraft}</dd></dl></section>`;
}
