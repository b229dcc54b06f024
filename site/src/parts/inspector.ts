// The inspector: the prediction, and what can be asked of a value, a step, a znode or a request.
import { html, nothing, type TemplateResult } from 'lit-html';
import { medium } from '../dom.ts';
import { pathText, plain, show, stepText } from '../fmt.ts';
import type { Diff, Step } from '../gen/trace.ts';
import { type Key, t } from '../i18n.ts';
import { asked, goto, lesson, type Pane, pane, run, type Scene, selected, stopIndex, stops, veiled } from '../state.ts';
import { whyOf, writerOf } from '../why.ts';
import { predict } from './predict.ts';
import { list } from './scene.ts';
import { recapPart, whatifPart } from '../lazy.ts';

const panes: [Pane, Key][] = [['why', 'why'], ['diff', 'diff'], ['node', 'node'], ['request', 'request'], ['code', 'code']];

export function inspector(s: Scene): TemplateResult {
  if (pane.value === 'whatif') return html`<aside class="inspector" aria-label=${t('whatif')}>${whatifPart()?.whatif(s) ?? nothing}</aside>`;
  if (medium() && asked.value) return html`<aside class="inspector" aria-label=${t('predictFirst')}>${predict()}</aside>`;
  const view = { why, diff, node, request, code }[pane.value];
  return html`<aside class="inspector" aria-label=${t('why')}>${predict()}${ending()}
    <div class="tabs" role="tablist">${panes.map(([p, k]) => html`<button role="tab" id="tab-${p}" aria-selected=${pane.value === p} aria-controls="pane" tabindex=${pane.value === p ? 0 : -1} @click=${() => { pane.value = p; }} @keydown=${arrows}>${t(k)}</button>`)}</div>
    <div id="pane" role="tabpanel" tabindex="0" aria-labelledby="tab-${pane.value}">${s.hidden || veiled.value ? html`<p class="hint">${t('predictFirst')}</p>` : view(s)}</div></aside>`;
}

/** The recap, at the last stop of a lesson once its question is answered. */
export function ending(): TemplateResult | typeof nothing {
  const l = lesson.value;
  const here = stops.value[stopIndex.value];
  if (!l?.recap || asked.value || here === undefined || here.id !== l.stops.at(-1)?.id) return nothing;
  return recapPart()?.recapCard(l.recap) ?? nothing;
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
    const w = s.rec.findBack(x.i, 0, (y) => (y.diff ?? []).some((d) => same(d, p)));
    const value = w?.diff?.find((d) => same(d, p))?.after ?? s.rec.trace.initial.find((d) => same(d, p))?.after;
    return value === undefined ? '' : `${plain(pathText(p))} ${show(value)}`;
  });
  const known = [...new Set(reads)].filter((r) => r !== '');
  return known.length ? html`<br>${t('read', { facts: known.join(', ') })}` : nothing;
}

function same(d: Diff, p: readonly string[]): boolean { return d.path.length === p.length && p.every((w, i) => d.path[i] === w); }

function diff(s: Scene): TemplateResult {
  const all = (s.step?.diff ?? []).filter((d) => d.path[0] !== 'view');
  if (all.length === 0) return html`<p class="hint">${t('diffNone')}</p>`;
  const most = 14;
  return html`<p class="asked">${s.step ? stepText(s.step) : ''}</p><dl class="diff">${all.slice(0, most).map((d) => html`<dt><code>${plain(pathText(d.path))}</code></dt><dd>${d.before === undefined ? nothing : html`<s>${show(d.before)}</s>`} <b>${d.after === undefined ? '∅' : show(d.after)}</b></dd>`)}</dl>
    ${all.length > most ? html`<p class="hint">${t('diffMore', { n: all.length - most })}</p>` : nothing}`;
}

function node(s: Scene): TemplateResult {
  const path = selected.value?.[0] === 'zk' ? selected.value[1]! : s.step?.entity?.startsWith('/') ? s.step.entity : undefined;
  if (path === undefined) return html`<p class="hint">${t('nodeHint')}</p>`;
  const watchers = s.doc.names('watch', path).flatMap((k) => s.doc.names('watch', path, k).map((id) => `${k} ${s.doc.text('session', id, 'client')}`));
  const blind = s.doc.names('view', 'bell', path).flatMap((k) => list(s.doc.record('view', 'bell', path, k)?.blind).map((c) => `${k} ${String(c)}`));
  const fields = s.doc.names('zk', path).filter((f) => f !== 'data');
  return html`<h3><code>${path}</code></h3>${fields.length === 0 ? html`<p class="hint">${t('nodeGone')}</p>` : nothing}
    ${s.doc.has('zk', path, 'data') ? html`<pre>${plain(s.doc.text('zk', path, 'data'))}</pre>` : nothing}
    <dl class="pairs"><dt>${t('watchers')}</dt><dd>${watchers.join(', ') || '∅'}</dd><dt>${t('handlers')}</dt><dd>${blind.join(', ') || '∅'}</dd>
    ${fields.map((f) => html`<dt>${f}</dt><dd><code>${show(s.doc.get('zk', path, f))}</code></dd>`)}</dl>`;
}

function request(s: Scene): TemplateResult {
  const under: [string, string, string][] = [];
  for (const station of ['wire', 'lane'] as const) for (const lane of s.doc.names(station)) for (const id of s.doc.names(station, lane)) under.push([station, lane, id]);
  if (under.length === 0) return html`<p class="hint">${t('requestNone')}</p>`;
  return html`${under.slice(0, 8).map(([station, lane, id]) => {
    const r = s.doc.record(station, lane, id) ?? {};
    const body = typeof r.body === 'object' && !Array.isArray(r.body) ? r.body : {};
    return html`<h3><code>${String(r.kind ?? s.doc.text(station, lane, id, 'kind'))}</code> <small>${lane} ${id} · ${String(s.doc.record('view', 'lane', lane, id)?.state ?? '')}</small></h3>
      <dl class="pairs">${Object.entries(body ?? {}).map(([k, v]) => html`<dt>${k}</dt><dd><code>${Array.isArray(v) ? v.map((x) => html`${show(x)}<br>`) : show(v)}</code></dd>`)}</dl>`;
  })}`;
}

function code(s: Scene): TemplateResult {
  const m = s.step?.msg ? s.rec.trace.msgs[s.step.msg.key] : undefined;
  if (!m) return html`<p class="hint">${t('codeNone')}</p>`;
  return html`<dl class="pairs"><dt>${t('our')}</dt><dd><code>${m.src}</code></dd>${m.kafka ? html`<dt>${t('kafka')}</dt><dd><code>${m.kafka}</code></dd>` : nothing}${m.article ? html`<dt>${t('article')}</dt><dd>${m.article}</dd>` : nothing}</dl>`;
}
