// What if: act at the cursor; the core computes what follows.
import { html, nothing, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { t } from '../i18n.ts';
import { Recording } from '../record.ts';
import { compare, enterFork, fork, leaveFork, notice, pane, run, type Scene } from '../state.ts';
import { brokersOf } from './scene.ts';

const runOn = signal(true);
const pending = signal<{ for: Recording; at: number; list: core.Pending[] } | undefined>(undefined);

function inputs(r: Recording): core.Inputs { return { setup: r.trace.setup, seed: r.trace.seed, script: r.trace.script }; }

/** Does one script line at the cursor and shows the future it opens; with "run until idle" also what comes of it. */
export async function what(s: Scene, line: string): Promise<void> {
  notice.value = '';
  const before = fork.value;
  const base = s.at;
  try {
    let trace = await core.act(inputs(s.rec), base, line);
    if (runOn.value) trace = await core.act({ setup: trace.setup, seed: trace.seed, script: trace.script }, trace.steps.length - 1, 'until idle');
    enterFork({ rec: new Recording(trace), run: before?.run ?? run.value, base: before ? Math.min(before.base, base) : base, lines: [...(before?.lines ?? []), line] });
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

async function ask(s: Scene): Promise<void> {
  if (pending.value?.for === s.rec && pending.value.at === s.at) return;
  pending.value = { for: s.rec, at: s.at, list: [] };
  try {
    pending.value = { for: s.rec, at: s.at, list: await core.choices(inputs(s.rec), s.at) };
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

export function whatif(s: Scene): TemplateResult {
  const st = core.status.value;
  const head = html`<h2>${t('wiTitle')} <button class="plain" aria-label=${t('close')} @click=${() => { pane.value = 'why'; }}>✕</button></h2>`;
  if (st.at === 'failed') return html`${head}<p class="err">${t('coreFailed', { why: st.why })}</p><button class="box" @click=${core.restart}>${t('retry')}</button>`;
  if (st.at === 'panic') return html`${head}${panicCard(st.panic)}`;
  if (st.at !== 'ready') return html`${head}<p class="hint">${t('coreLoading')}</p>`;
  queueMicrotask(() => void ask(s));
  const act = (line: string, word: string): TemplateResult => html`<button class="box" ?disabled=${core.busy.value} title=${line} @click=${() => void what(s, line)}>${word}</button>`;
  return html`${head}<p class="hint">${core.busy.value ? t('wiWorking') : t('wiHint')}</p>
    ${fork.value ? html`<p class="row2"><button class="primary" @click=${() => { compare.value = true; }}>${t('wiCompare')}</button><button class="box" @click=${leaveFork}>${t('wiBack')}</button></p><pre>${fork.value.lines.join('\n')}</pre>` : nothing}
    ${brokersOf(s).slice(0, 8).map((b) => html`<div class="do"><span>${t('broker', { b })}</span>${s.doc.get('broker', b, 'up') === true
      ? html`${act(`broker kill ${b}`, t('kill'))}${act(`broker stop ${b}`, t('stopB'))}${act(`broker bounce ${b}`, t('bounce'))}`
      : act(`broker start ${b}`, t('start'))}${s.doc.has('ctl', b) ? s.doc.has('hold', `${b}.controller`)
      ? act(`release ${b}.controller`, t('release')) : act(`hold ${b}.controller`, t('hold')) : nothing}</div>`)}
    <div class="do"><span>${t('wiZk')}</span>${act('zk delete /controller', t('deleteController'))}</div>
    <div class="do"><span>${t('wiGuard')}</span>${s.doc.has('guard', 'broker-epoch') ? act('guard.broker-epoch on', t('on')) : act('guard.broker-epoch off', t('off'))}</div>
    <div class="do"><span>${t('wiThen')}</span><div class="seg">${[true, false].map((v) => html`<button aria-pressed=${runOn.value === v} @click=${() => { runOn.value = v; }}>${v ? t('runOn') : t('wait')}</button>`)}</div></div>
    <h3>${t('wiChoices')}</h3>${choices(s)}
    <form class="do" @submit=${(e: Event) => submit(e, s)}><label>${t('wiLine')} <input name="line" autocomplete="off" spellcheck="false" required></label><button class="box">${t('do')}</button></form>`;
}

function choices(s: Scene): TemplateResult {
  const p = pending.value;
  const all = p?.for === s.rec && p.at === s.at ? p.list : [];
  if (all.length === 0) return html`<p class="hint">${core.busy.value ? t('wiWorking') : t('wiNoChoices')}</p>`;
  return html`<ul class="choices">${all.slice(0, 12).map((c) => html`<li><span><code>${c.id}</code> ${c.what}</span>${c.reason ? html`<small>${c.reason}</small>` : html`<button class="box" ?disabled=${core.busy.value} @click=${() => void what(s, c.line ?? 'deliver ' + c.id)}>${t('deliver')}</button>`}</li>`)}</ul>`;
}

function submit(e: Event, s: Scene): void {
  e.preventDefault();
  const form = e.target as HTMLFormElement;
  const line = new FormData(form).get('line');
  if (typeof line === 'string' && line.trim()) void what(s, line.trim());
  form.reset();
}

/** What is needed to report a stopped core; the last state stays on the stage. */
export function panicCard(p: core.Panic): TemplateResult {
  const report = JSON.stringify(p, null, 1);
  return html`<section class="panic" role="alert"><h3>${t('corePanic')}</h3><p>${p.message}</p><pre>${p.script}</pre><p>seed ${p.seed} · ${t('stepN', { n: p.step })}</p>
    <p class="row2"><button class="box" @click=${() => void navigator.clipboard?.writeText(report)}>${t('copyReport')}</button><button class="box" @click=${core.restart}>${t('retry')}</button></p></section>`;
}
