// The inspector: what can be asked of a value, a step, a znode or a request.
import { html, nothing, type TemplateResult } from 'lit-html';
import { pathText, plain, show, stepText } from '../fmt.ts';
import type { Diff, Step } from '../gen/trace.ts';
import { type Key, t } from '../i18n.ts';
import { goto, type Pane, pane, run, type Scene, selected, stops, veiled } from '../state.ts';
import { whyOf, writerOf } from '../why.ts';
import { codePart, panesPart, whatifPart } from '../lazy.ts';

const panes: [Pane, Key][] = [['why', 'why'], ['diff', 'diff'], ['mismatch', 'mismatch'], ['node', 'node'], ['request', 'request'], ['code', 'code'], ['metrics', 'metrics'], ['invariants', 'invariantsTab']];

/** The inspector; in a lesson what is asked and what was answered stands above. */
export function inspector(s: Scene, above: TemplateResult | typeof nothing = nothing): TemplateResult {
  if (pane.value === 'whatif') return html`<aside class="inspector" aria-label=${t('whatif')}>${whatifPart()?.whatif(s) ?? nothing}</aside>`;
  return html`<aside class="inspector" aria-label=${t('why')}>${above}
    <div class="tabs" role="tablist">${panes.map(([p, k]) => html`<button role="tab" id="tab-${p}" aria-selected=${pane.value === p} aria-controls="pane" tabindex=${pane.value === p ? 0 : -1} @click=${() => { pane.value = p; }} @keydown=${arrows}>${t(k)}</button>`)}</div>
    <div id="pane" role="tabpanel" tabindex="0" aria-labelledby="tab-${pane.value}">${s.hidden || veiled.value ? html`<p class="hint">${t('predictFirst')}</p>` : view(s)}</div></aside>`;
}

/** What the chosen tab shows; only Why? is there at once. */
function view(s: Scene): TemplateResult | typeof nothing {
  if (pane.value === 'why') return why(s);
  return (pane.value === 'code' ? codePart()?.code(s) : panesPart()?.panes[pane.value as Exclude<Pane, 'why' | 'code' | 'whatif'>](s)) ?? html`<p class="hint">${t('loading')}</p>`;
}

function arrows(e: KeyboardEvent): void {
  if (e.key !== 'ArrowRight' && e.key !== 'ArrowLeft') return;
  e.stopPropagation();
  const i = panes.findIndex(([p]) => p === pane.value);
  pane.value = panes[(i + (e.key === 'ArrowRight' ? 1 : panes.length - 1)) % panes.length]![0];
  requestAnimationFrame(() => document.getElementById('tab-' + pane.value)?.focus());
}

function why(s: Scene): TemplateResult {
  const path = selected.value;
  const writer = path ? writerOf(s.rec, path, s.at) : s.step;
  const steps = writer ? whyOf(s.rec, writer, path) : [];
  const head = path ? html`<p class="asked"><code>${plain(pathText(path))}</code></p>` : html`<p class="hint">${t('whyHint')}</p>`;
  if (path && steps.length === 0) return html`${head}<p class="hint">${t('whyNone')}</p>`;
  return html`${head}<ol class="chain">${shorten(steps).map((x, i, all) => html`<li class="${i === 0 ? 'first' : ''} ${i === all.length - 1 ? 'end' : ''}"><button @click=${() => goto(x.i)}>
    <b>${stepText(x)}</b><small>${place(x)}${x.causes?.length ? '' : ' · ' + t('outside')}${i < 4 ? facts(s, x) : nothing}</small></button></li>`)}</ol>`;
}

/** A long chain without its middle; the outside action stays. */
function shorten(steps: Step[]): Step[] { return steps.length > 14 ? [...steps.slice(0, 12), steps[steps.length - 1]!] : steps; }

/** Where a step stands in the lesson. */
function place(x: Step): string {
  const stop = stops.value.find((p) => p.at === x.i && p.run === run.value);
  return `${stop ? t('stopN', { n: stop.n }) : t('stepN', { n: x.i })} · ${x.lane}`;
}

/** What a decision was made from, as it was then. */
function facts(s: Scene, x: Step): TemplateResult | typeof nothing {
  const reads = (x.reads ?? []).slice(0, 4).map((p) => {
    const w = s.rec.step(s.rec.lastWriter(p, x.i));
    const value = w?.diff?.find((d) => same(d, p))?.after ?? s.rec.trace.initial.find((d) => same(d, p))?.after;
    return value === undefined ? '' : `${plain(pathText(p))} ${show(value)}`;
  });
  const known = [...new Set(reads)].filter((r) => r !== '');
  return known.length ? html`<br>${t('read', { facts: known.join(', ') })}` : nothing;
}

function same(d: Diff, p: readonly string[]): boolean { return d.path.length === p.length && p.every((w, i) => d.path[i] === w); }
