// What a lesson has beside its stage: the inspector with what is asked; on a tablet the row that leads there.
import { html, type TemplateResult } from 'lit-html';
import { medium } from '../dom.ts';
import { t } from '../i18n.ts';
import { answers, asked, openPane, pane, type Pane, type Scene, scene, sheet, stopIndex, stops, veiled } from '../state.ts';
import { inspector } from './inspector.ts';
import { predict } from './predict.ts';
import { askMark } from './rail.ts';
import { ending } from './recap.ts';

/** The inspector of a lesson. Where it is a sheet, an open question has it for itself. */
export function beside(s: Scene): TemplateResult {
  if (pane.value !== 'whatif' && medium() && asked.value) return html`<aside class="inspector" aria-label=${t('predictFirst')}>${predict()}</aside>`;
  return inspector(s, html`${predict()}${ending()}`);
}

/** The last answer of this or the two stops before, in one line. */
function told(): TemplateResult {
  const here = stopIndex.value;
  const p = stops.value.slice(Math.max(0, here - 2), here + 1).findLast((x) => x.ask && answers.value[x.id]);
  const given = p?.ask?.choices.find((c) => c.id === answers.value[p.id]);
  if (!p || !given || veiled.value) return html`<span class="hint">${scene.value?.step?.entity ?? ''}</span>`;
  return html`<span>${askMark(p)} ${t('stopN', { n: p.n })}: <b>${given.text}</b> · ${t(given.right ? 'right' : 'wrong')}</span>`;
}

/** On a tablet: the prediction in a line, and the doors to the inspector. */
export function handleRow(): TemplateResult {
  const doors: [Pane, 'why' | 'diff' | 'node' | 'code'][] = [['why', 'why'], ['diff', 'diff'], ['node', 'node'], ['code', 'code']];
  return html`<section class="handle" aria-label=${t('why')}>${asked.value ? html`<button class="primary" @click=${() => { sheet.value = 'inspector'; }}>◇ ${t('predictFirst')}</button>` : told()}
    <div class="seg">${doors.map(([p, k]) => html`<button aria-pressed=${sheet.value === 'inspector' && pane.value === p} @click=${() => openPane(p)}>${t(k)}</button>`)}</div></section>`;
}
