// One step in full: what it says, before and after of all that it changed, what it was decided from, a znode's history.
import { html, nothing, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import { vars } from '../dom.ts';
import { cut, pathText, plain, seconds, show, stepText } from '../fmt.ts';
import type { Diff, Step, Value } from '../gen/trace.ts';
import type { Recording } from '../record.ts';
import { goto, type Scene, select, selected } from '../state.ts';
import { fields } from './fields.ts';
import { expected, toggle } from './regression.ts';
import { w } from './words.ts';

type Look = 'before' | 'after' | 'diff';
const look = signal<Look>('diff');
/** Rows that are shown of a step that changes more, unless all of them were asked for; a change has as many as its JSON has fields. Columns of a text. */
const most = 60;
const columns = 320;
const whole = signal<Step | undefined>(undefined);
/** Whether the step stands below as JSON: a step of a large world is hundreds of kilobytes. */
const json = signal(false);

interface Row { path: readonly string[]; name: string; before: Value | undefined; after: Value | undefined }

/** A change as rows: JSON and records field by field. */
function rows(d: Diff): Row[] {
  const open = (v: Value | undefined): Record<string, Value> | undefined => (typeof v === 'object' && !Array.isArray(v) ? v : fields(v));
  const [a, b] = [open(d.before), open(d.after)];
  const name = plain(pathText(d.path));
  if ((!a && d.before !== undefined) || (!b && d.after !== undefined) || (!a && !b)) return [{ path: d.path, name, before: d.before, after: d.after }];
  return [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])].map((k) => ({ path: d.path, name: `${name} ${k}`, before: a?.[k], after: b?.[k] }));
}

function same(a: Value | undefined, b: Value | undefined): boolean { return JSON.stringify(a) === JSON.stringify(b); }

function table(step: Step, changes: readonly Diff[]): TemplateResult {
  const l = look.value;
  const cell = (v: Value | undefined): string => (v === undefined ? '∅' : cut(show(v), columns));
  const all: Row[] = [];
  let left = changes.length;
  for (const d of changes) {
    const more = rows(d);
    if (whole.value !== step && all.length > 0 && all.length + more.length > most) break;
    all.push(...more);
    left--;
  }
  return html`<table><thead><tr><th scope="col">${w('field')}</th>${l === 'after' ? nothing : html`<th scope="col">${w('before')}</th>`}${l === 'before' ? nothing : html`<th scope="col">${w('after')}</th>`}</tr></thead>
    <tbody>${all.map((r) => html`<tr class=${same(r.before, r.after) ? '' : 'changed'}><th scope="row"><button @click=${() => select(r.path, 'why')}><code>${r.name}</code></button></th>
      ${l === 'after' ? nothing : html`<td>${l === 'diff' && !same(r.before, r.after) ? html`<s>${cell(r.before)}</s>` : cell(r.before)}</td>`}${l === 'before' ? nothing : html`<td><b>${cell(r.after)}</b></td>`}</tr>`)}</tbody></table>
    ${left > 0 ? html`<p><button class="box" @click=${() => { whole.value = step; }}>${w('moreChanges', { n: left })}</button></p>` : nothing}`;
}

/** The znode that is asked about: the chosen one, else the one of the step. */
function znode(s: Scene): string | undefined {
  if (selected.value?.[0] === 'zk') return selected.value[1];
  return s.step?.diff?.find((d) => d.path[0] === 'zk')?.path[1] ?? (s.step?.entity?.startsWith('/') ? s.step.entity : undefined);
}

const written = new WeakMap<Recording, Map<string, Set<Step>>>();

/** The steps that wrote each znode. */
function writersOf(r: Recording): Map<string, Set<Step>> {
  let of = written.get(r);
  if (of) return of;
  written.set(r, of = new Map());
  for (const x of r.trace.steps) {
    for (const d of x.diff ?? []) {
      if (d.path[0] !== 'zk') continue;
      const all = of.get(d.path[1]!);
      if (all) all.add(x);
      else of.set(d.path[1]!, new Set([x]));
    }
  }
  return of;
}

/** All steps that wrote a znode, with its version then. */
function nodeHistory(s: Scene, path: string): TemplateResult {
  const wrote = [...writersOf(s.rec).get(path) ?? []];
  if (wrote.length === 0) return html``;
  const n = Math.max(1, s.rec.length - 1);
  const version = (i: number): string => { const d = s.rec.step(i)!.diff!.find((x) => x.path[0] === 'zk' && x.path[1] === path && x.path[2] === 'version'); return d ? (d.after === undefined ? '✕' : 'v' + String(d.after)) : '·'; };
  return html`<section class="nodehistory"><h2>${w('history')} · <code>${path}</code></h2><ol>${wrote.slice(-40).map((x) => html`<li ${vars({ '--at': x.i / n })} class=${x.i === s.at ? 'here' : ''}><button title=${stepText(x)} @click=${() => goto(x.i)}>${version(x.i)} <span class="hidden">${w('step', { n: x.i })}</span></button></li>`)}</ol></section>`;
}

function reads(s: Scene): TemplateResult | typeof nothing {
  const all = s.step?.reads ?? [];
  if (all.length === 0) return nothing;
  return html`<section><h2>${w('decidedFrom')}</h2><ul class="reads">${all.slice(0, 24).map((p) => {
    const by = s.rec.lastWriter(p, s.at);
    return html`<li><button @click=${() => select(p, 'why')}><code>${plain(pathText(p))} = ${cut(show(s.doc.get(...p)), columns)}</code></button> ${by >= 0 ? html`<button class="link" @click=${() => goto(by)}>${w('step', { n: by })}</button>` : nothing}</li>`;
  })}</ul></section>`;
}

export function detail(s: Scene): TemplateResult {
  const step = s.step;
  if (!step) return html`<main class="detail" id="stage" tabindex="-1"><h1 id="headline">${w('start')}</h1></main>`;
  const changes = (step.diff ?? []).filter((d) => d.path[0] !== 'view');
  const looks: Look[] = ['before', 'after', 'diff'];
  const node = znode(s);
  return html`<main class="detail" id="stage" tabindex="-1" aria-labelledby="headline"><div class="head"><h1 id="headline">${cut(stepText(step), columns)}</h1>
    <div class="seg" role="group">${looks.map((l) => html`<button aria-pressed=${look.value === l} @click=${() => { look.value = l; }}>${w(l)}</button>`)}</div>
    <button class="box" aria-pressed=${expected.value.includes(step.i)} title=${w('expectHint')} @click=${() => toggle(step.i)}>${w('expect')}</button></div>
    <p class="meta">${w('step', { n: step.i })} · <code>${step.id}</code> · ${seconds(step.vtime_ms)} s · <code>${step.kind}</code> ${Object.entries(step.ids ?? {}).map(([k, v]) => html` · ${k} ${plain(v)}`)} · ${w('causes')} ${step.causes?.length ? step.causes.map((c) => html`<button class="link" @click=${() => goto(c)}>${c}</button> `) : w('outside')}</p>
    ${step.invariants?.length ? html`<p class="err" role="status">✕ ${step.invariants.join(', ')}</p>` : nothing}
    ${changes.length ? table(step, changes) : html`<p class="hint">${w('changesNothing')}</p>`}
    ${node === undefined ? nothing : nodeHistory(s, node)}${reads(s)}
    <details @toggle=${(e: Event) => { json.value = (e.target as HTMLDetailsElement).open; }}><summary>JSON</summary>${json.value ? html`<pre>${JSON.stringify(step, null, 1)}</pre>` : nothing}</details></main>`;
}
