// State charts of partitions and replicas as the controller believes: a strip of counts, or both machines, which come when
// they are asked for.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon, medium, narrow, size } from '../dom.ts';
import { t } from '../i18n.ts';
import { chartPart } from '../lazy.ts';
import { acts, chartsPinned, projector, type Scene } from '../state.ts';
import { onlyClients, shownController, states } from './scene.ts';

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

/** How the charts are drawn where there is less room. */
export function chartsShown(s: Scene): Mode { return medium() && chartsMode(s) === 'first' ? 'open' : chartsMode(s); }

const heights: Record<Mode, number> = { closed: 40, open: 168, first: 256 };

/** Lines of the ledger and the height of all broker cards together, in what captions, titles, bands and charts leave. */
export function room(s: Scene): { lines: number; cards: number } {
  const mode = chartsShown(s);
  const below = size.value.stage - 36 - (onlyClients(s) || (mode === 'closed' && projector.value) ? 0 : heights[mode]);
  const band = mode === 'first' ? 76 : projector.value ? 124 : 128;
  return { lines: narrow() ? 10 : Math.max(4, Math.floor((below - band) / 24)), cards: below };
}

export function charts(s: Scene): TemplateResult {
  const mode = narrow() ? 'open' : chartsShown(s);
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
