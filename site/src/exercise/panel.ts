// The goal panel: the task, its criteria with what is met, the answers, hints, and the hand-in.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../dom.ts';
import { at, goto, notice } from '../state.ts';
import { save } from '../save.ts';
import { acting } from '../sandbox/world.ts';
import { answer, answers, check, dealt, entry, fill, graded, handedIn, handIn, hints, openPart, part, partID, used } from './state.ts';
import { type Criterion, type PartText, x } from './words.ts';

function resultOf(c: Criterion): { points: number; of: number; step: number } | undefined {
  return graded.value?.report.results.find((r) => r.part === partID.value && r.criterion === c.id);
}

function input(c: Criterion, t: PartText): TemplateResult {
  const key = `${partID.value}.${c.id}`;
  const given = answers.value[key] ?? '';
  if (c.choices) {
    return html`<fieldset><legend>${fill(t.criteria[c.id]!.ask)}</legend>${c.choices.map((o) => html`<label class="choice"><input type="radio" name=${key} value=${o.id} ?checked=${given === o.id} @change=${() => answer(key, o.id)}> ${fill(t.choices?.[`${c.id}.${o.id}`] ?? o.id)}</label>`)}</fieldset>`;
  }
  return html`<label class="field">${fill(t.criteria[c.id]!.ask)}<span><input autocomplete="off" spellcheck="false" .value=${given} @change=${(e: Event) => answer(key, (e.target as HTMLInputElement).value)}>
    ${c.mark === undefined ? nothing : html`<button class="box" @click=${() => answer(key, String(at.value))}>${x('thisStep', { n: at.value })}</button>`}</span></label>`;
}

function criterion(c: Criterion, t: PartText): TemplateResult {
  const r = resultOf(c);
  const drive = part.value?.kind === 'drive';
  const met = r !== undefined && r.points === r.of;
  return html`<li class="${r === undefined ? '' : met ? 'good' : 'bad'}">${drive ? html`<p>${icon(met ? 'check' : 'ask')} ${fill(t.criteria[c.id]!.ask)}</p>` : input(c, t)}
    <small>${x('points', { n: r?.points ?? 0, m: c.points })}${r && !met && (!drive || r.step >= 0) ? html` · ${fill(t.criteria[c.id]!.missed)} ${drive ? html`<button class="link" @click=${() => goto(r.step)}>${x('step', { n: r.step })}</button>` : nothing}` : nothing}</small></li>`;
}

function notes(): TemplateResult | typeof nothing {
  const all = graded.value?.report.notes ?? [];
  return all.length ? html`<ul class="notes">${all.map((n) => html`<li class="err">${x('note.' + n.key, { text: n.text })}</li>`)}</ul>` : nothing;
}

function written(): TemplateResult | typeof nothing {
  const h = handedIn.value;
  if (!h) return nothing;
  return html`<section class="written"><h3>${x('handedIn', { n: h.report.points, m: h.report.of })}</h3><p class="hint">${x('inside')}</p><textarea readonly rows="4" aria-label=${x('asLine')}>${h.line}</textarea>
    <p class="row2"><button class="box" @click=${() => void navigator.clipboard?.writeText(h.line).then(() => { notice.value = x('copied'); })}>${x('copyLine')}</button><button class="box" @click=${() => save(`${entry.value!.exercise.id}.kcl.json`, h.file + '\n')}>${x('saveFile')}</button></p></section>`;
}

export function panel(): TemplateResult {
  const e = entry.value!;
  const p = part.value!;
  const t = e.text.parts[p.id]!;
  const busy = acting.value;
  return html`<div class="goal"><h2>${e.exercise.id} · ${e.text.title}</h2><p>${fill(e.text.goal)}</p>
    <div class="tabs" role="tablist" aria-label=${x('parts')}>${e.exercise.parts.map((q) => html`<button role="tab" aria-selected=${q.id === p.id} @click=${() => void openPart(q.id)}>${fill(e.text.parts[q.id]!.title)}</button>`)}</div>
    <p class="task">${fill(t.task)}</p>${p.script && p.kind === 'value' ? html`<pre>${fill(p.script)}</pre>` : nothing}
    ${p.kind === 'drive' ? html`<p class="used ${used.value > (dealt.value?.operations ?? 0) ? 'err' : ''}" role="status">${x('used', { n: used.value, m: dealt.value?.operations ?? 0 })}</p>` : nothing}
    <ol class="criteria">${p.criteria.map((c) => criterion(c, t))}</ol>${notes()}
    <p class="row2"><button class="primary" ?disabled=${busy} @click=${() => void check()}>${x('check')}</button>
    ${(t.hints?.length ?? 0) > hints.value ? html`<button class="box" @click=${() => { hints.value++; }}>${x('hint', { n: hints.value + 1, m: t.hints!.length })}</button>` : nothing}
    <button class="box" ?disabled=${busy} @click=${() => void handIn()}>${x('handIn')}</button></p>
    <ol class="hints">${(t.hints ?? []).slice(0, hints.value).map((h) => html`<li>${fill(h)}</li>`)}</ol>${written()}</div>`;
}
