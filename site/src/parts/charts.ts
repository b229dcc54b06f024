// State charts of partitions and replicas as the controller believes: a strip of counts, or both machines, which come when
// they are asked for.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon, medium, narrow } from '../dom.ts';
import { t } from '../i18n.ts';
import { chartPart } from '../lazy.ts';
import { acts, chartsPinned, type Scene } from '../state.ts';
import { shownController, states } from './scene.ts';

export type Kind = 'partition' | 'replica';
type Mode = 'closed' | 'open' | 'first';

/** How the charts stand: as the act says, unless the reader decided. */
export function chartsMode(s: Scene): Mode {
  const act = acts.value[s.stop?.act ?? 0]?.charts;
  const mode = act === 'first' ? 'first' : act === 'open' ? 'open' : 'closed';
  if (chartsPinned.value === undefined) return mode;
  return chartsPinned.value ? (mode === 'closed' ? 'open' : mode) : 'closed';
}

/** Whether the ages of notifications stand in place of the columns: as the act says, unless the reader opened them. */
export function agesShown(s: Scene): boolean { return acts.value[s.stop?.act ?? 0]?.charts === 'age' && chartsPinned.value === undefined; }

export function chartsOpen(s: Scene): boolean { return chartsMode(s) !== 'closed'; }

export function charts(s: Scene): TemplateResult {
  const wanted = chartsMode(s);
  const mode = narrow() || (medium() && wanted === 'first') ? 'open' : wanted;
  const b = shownController(s);
  const toggle = html`<button class="toggle" aria-expanded=${mode !== 'closed'} @click=${() => { chartsPinned.value = !chartsOpen(s); }}>${t('charts')} ${icon('chevron', mode === 'closed' ? '' : 'up')}</button>`;
  if (mode === 'closed') {
    return html`<section class="charts strip" aria-label=${t('charts')}><span>${t('partitions')}</span>${counts(s, b, 'partition')}<span>${t('replicas')}</span>${counts(s, b, 'replica')}<span class="by">${t('believes')}</span>${acts.value[s.stop?.act ?? 0]?.charts === 'age' ? html`<button class="toggle" @click=${() => { chartsPinned.value = undefined; }}>${t('ages')}</button>` : nothing}${toggle}</section>`;
  }
  return html`<section class="charts open ${mode}" aria-label=${t('charts')}>${chartPart()?.machines(s, b, mode) ?? nothing}${narrow() ? nothing : toggle}</section>`;
}

function counts(s: Scene, b: string | undefined, kind: Kind): TemplateResult {
  const names = b === undefined ? [] : s.doc.names('view', 'chart', b, kind);
  if (names.length === 0) return html`<span class="st none">${t('none')}</span>`;
  return html`${names.map((n) => html`<span class="st ${states[n]?.code}" title=${n}>${states[n]?.glyph} ${states[n]?.code} ${String(s.doc.get('view', 'chart', b!, kind, n))}</span>`)}`;
}
