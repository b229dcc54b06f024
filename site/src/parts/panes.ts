// What can be asked of a step, besides why: its changes, beliefs that differ, a znode, requests, metrics, invariants.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../dom.ts';
import { pathText, plain, show, stepText } from '../fmt.ts';
import { t } from '../i18n.ts';
import { sidePart } from '../side.ts';
import { goto, type Scene, select, selected } from '../state.ts';
import { list } from './scene.ts';

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

/** The lines on which a controller believes something else than ZooKeeper says. */
function mismatch(s: Scene): TemplateResult {
  const rows = s.doc.names('view', 'belief').flatMap((b) => s.doc.names('view', 'belief', b)
    .map((path) => ({ b, path, belief: s.doc.record('view', 'belief', b, path) })).filter((r) => r.belief?.mark === '≠'));
  if (rows.length === 0) return html`<p class="hint">${t('mismatchNone')}</p>`;
  return html`<p class="hint">${t('mismatchHint')}</p><table class="facts"><thead><tr><th>znode</th><th>${t('zk')}</th><th>${t('controller')}</th></tr></thead><tbody>${rows.map(({ b, path, belief }) => html`<tr>
    <th><button class="link" @click=${() => toRow(path)}>${path}</button></th><td>${s.doc.has('view', 'row', path, 'value') ? plain(s.doc.text('view', 'row', path, 'value')) : t('absent')}</td>
    <td><button class="link" @click=${() => select(list(belief!.from).map(String), 'why')}>${plain(String(belief!.value))}</button><small>${b} · ${String(belief!.field)}</small></td></tr>`)}</tbody></table>`;
}

/** Shows the line of a znode on the stage: what was asked for goes there, with the focus. */
function toRow(path: string): void {
  const line = document.querySelector<HTMLElement>(`.ledger [data-path="${CSS.escape(path)}"]`);
  line?.scrollIntoView({ block: 'nearest' });
  line?.querySelector<HTMLElement>('button')?.focus();
  if (!line) select(['zk', path], 'node');
}

/** The gauges under the names that JMX shows, as they were refreshed after each event. */
function metrics(s: Scene): TemplateResult {
  const beans = s.doc.names('view', 'metric');
  if (beans.length === 0) return html`<p class="hint">${t('metricsNone')}</p>`;
  const brokers = [...new Set(beans.flatMap((m) => s.doc.names('view', 'metric', m)))].sort();
  const now = new Set((s.step?.diff ?? []).filter((d) => d.path[0] === 'view' && d.path[1] === 'metric').map((d) => d.path.slice(2).join(' ')));
  return html`<p class="hint">${t('metricsHint')}</p><table class="facts"><thead><tr><th>MBean</th>${brokers.map((b) => html`<th aria-label=${t('broker', { b })}>${b}</th>`)}</tr></thead><tbody>${beans.map((m) => html`<tr>
    <th><code>${m.replace(/([:,])/g, '$1\u200b')}</code></th>${brokers.map((b) => html`<td class=${now.has(m + ' ' + b) ? 'changed' : ''}>${s.doc.has('view', 'metric', m, b) ? html`<button class="link" @click=${() => select(['metric', b, m.replace(/.*name=/, '')], 'why')}>${s.doc.text('view', 'metric', m, b)}</button>` : '∅'}</td>`)}</tr>`)}</tbody></table>`;
}

/** Every sentence that must hold: broken by this step, by one before, or by none. Some are looked at when the world is idle only. */
function invariants(s: Scene): TemplateResult {
  const all = sidePart()?.invariants;
  if (!all) return html`<p class="hint">${t('loading')}</p>`;
  return html`<ul class="invariants">${all.map(({ name, sentence, settled }) => {
    const at = s.rec.findBack(s.at, 0, (x) => x.invariants?.includes(name) === true)?.i ?? -1;
    if (settled) return html`<li>${icon('dash')}<span>${sentence} <small>${t('invSettled')}</small></span></li>`;
    return html`<li class=${at < 0 ? 'good' : 'bad'}>${icon(at < 0 ? 'check' : 'cross')}<span>${sentence}<small>${at < 0 ? t('invHolds') : at === s.at ? t('invNow') : html`<button class="link" @click=${() => goto(at)}>${t('invBefore', { n: at })}</button>`}</small></span></li>`;
  })}</ul>`;
}

export const panes = { diff, mismatch, node, request, metrics, invariants };
