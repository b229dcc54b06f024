// The history as a tree: an operation a chip, a future a row; on a phone a list. Choosing one goes there.
import { html, nothing, type TemplateResult } from 'lit-html';
import { narrow, vars } from '../dom.ts';
import { beside, here, type Op, ops, path, rename, show } from './world.ts';
import { w } from './words.ts';

/** How an operation is called: by the reader, else by its line. */
function called(o: Op): string { return o.name || o.line || w('setup'); }

interface Place { op: Op; depth: number; row: number; up: number }

/** Places of all operations: the first future of an operation goes on in its row, others begin rows of their own. */
function places(): Place[] {
  const children = new Map<Op | undefined, Op[]>();
  for (const o of ops.value) children.set(o.parent, [...(children.get(o.parent) ?? []), o]);
  const out: Place[] = [];
  let rows = 0;
  const lay = (o: Op, depth: number, row: number, above: number): void => {
    out.push({ op: o, depth, row, up: row - above });
    (children.get(o) ?? []).forEach((c, i) => lay(c, depth + 1, i === 0 ? row : ++rows, row));
  };
  for (const root of children.get(undefined) ?? []) lay(root, 0, 0, 0);
  return out;
}

/** The tree; `chosen` is told when the reader went somewhere else. */
export function historyTree(chosen = (): void => undefined): TemplateResult {
  const all = places();
  const mine = path.value;
  const tips = ops.value.filter((o) => o !== here.value && !ops.value.some((c) => c.parent === o));
  return html`<section class="history" aria-label=${w('history')}><h2>${w('history')}<small>${w('historyHint')}</small></h2>
    <ol>${all.map((p) => html`<li ${vars({ '--depth': p.depth, '--row': p.row, '--up': p.up })} class="${p.up > 0 ? 'offshoot' : ''} ${mine.includes(p.op) ? 'mine' : ''} ${p.op === here.value ? 'here' : ''}">
      <button aria-current=${p.op === here.value ? 'step' : nothing} title=${p.op.line || p.op.inputs.setup} @click=${() => { show(p.op); chosen(); }}>${called(p.op)}${p.op.failure ? ' ✕' : ''}</button>${p.up > 0 ? html` <small class=${narrow() ? '' : 'hidden'}>${w('branchesOff', { of: called(p.op.parent!) })}</small>` : nothing}</li>`)}</ol>
    ${here.value ? html`<label class="with">${w('name')} <input maxlength="40" autocomplete="off" placeholder=${here.value.line || w('setup')} .value=${here.value.name} @change=${(e: Event) => { if (here.value) rename(here.value, (e.target as HTMLInputElement).value); }}></label>` : nothing}
    ${tips.length ? html`<label class="with">${w('compareWith')} <select @change=${(e: Event) => { const o = ops.value.find((x) => String(x.id) === (e.target as HTMLSelectElement).value); (e.target as HTMLSelectElement).value = ''; if (o) { beside(o); chosen(); } }}>
      <option value="">—</option>${tips.map((o) => html`<option value=${o.id}>${o.id}: ${called(o)}</option>`)}</select></label>` : nothing}</section>`;
}
