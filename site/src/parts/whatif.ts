// What if: act at the cursor; the core says what can be done and computes what follows.
import { html, nothing, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { type Key, t } from '../i18n.ts';
import type { Recording } from '../record.ts';
import { coming, failed } from './comes.ts';
import { compare, enterFork, fork, leaveFork, notice, pane, run, type Scene, sheet } from '../state.ts';

const runOn = signal(true);
const pending = signal<{ rec: Recording; at: number; next: core.Next } | undefined>(undefined);

function inputs(r: Recording): core.Inputs { return { setup: String(r.trace.setup), seed: r.trace.seed, script: r.trace.script }; }

/** Lines that turn a clock: what they lead to is seen where they end. */
const turns = /^(clock|wait|skew) /;

/** Does one script line at the cursor and shows the future it opens; with "run until idle" also what comes of it. */
export async function what(s: Scene, line: string): Promise<void> {
  notice.value = '';
  const before = fork.value;
  const again = reskews(s, line);
  try {
    const base = again ? s.at - 1 : s.at;
    let future = await core.act(inputs(s.rec), base, line);
    let rec = s.rec.branch(base, future.trace);
    const end = rec.length - 1;
    if (runOn.value && future.failure === undefined) {
      future = await core.act(future.inputs, end, 'until idle');
      rec = rec.branch(end, future.trace);
    }
    const same = s.rec.common(rec);
    const lines = [...(before?.lines.slice(0, again ? -1 : undefined) ?? []), line];
    const own: [number, number?] = turns.test(line) ? [end, again ? s.at - 1 : s.at] : [same + 1];
    enterFork({ rec, run: before?.run ?? run.value, base: before ? Math.min(before.base, same) : same, lines, ...(before?.own && { own: { back: before.own.back } }) }, ...own);
    notice.value = future.failure ?? '';
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

/** Whether a line sets the clock off that the step at the cursor, the future's latest operation, has set off: it takes that one's place. */
function reskews(s: Scene, line: string): boolean {
  const of = (l: string | undefined): string | undefined => /^skew \d+ /.exec(l ?? '')?.[0];
  return fork.value !== undefined && s.at > fork.value.base && s.step?.msg?.key === 'admin.skew' && of(line) !== undefined && of(line) === of(fork.value.lines.at(-1));
}

/** Asks the core what is possible here; once for each place. */
async function ask(s: Scene): Promise<void> {
  if (pending.value?.rec === s.rec && pending.value.at === s.at) return;
  // Until the core has answered, what was possible before stays, out of reach.
  const before: core.Next = pending.value?.next ?? { choices: [], verbs: [], office: '' };
  pending.value = { rec: s.rec, at: s.at, next: before };
  try {
    const next = await core.choices(inputs(s.rec), s.at);
    if (pending.value.rec === s.rec && pending.value.at === s.at) pending.value = { rec: s.rec, at: s.at, next };
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

export function whatif(s: Scene): TemplateResult {
  const st = core.status.value;
  const head = html`<h2>${t('wiTitle')} <button class="plain" aria-label=${t('close')} @click=${() => { pane.value = 'why'; }}>✕</button></h2>`;
  if (st.at === 'failed') return html`${head}${failed(t('coreFailed', { why: st.why }), st.why)}`;
  if (st.at === 'panic') return html`${head}${panicCard(st.panic)}`;
  if (st.at !== 'ready') return html`${head}${coming(t('coreLoading'))}`;
  queueMicrotask(() => void ask(s));
  const next = pending.value?.next ?? { choices: [], verbs: [] };
  return html`${head}<p class="hint">${core.busy.value ? t('wiWorking') : t('wiHint')}</p>
    ${fork.value ? html`<p class="row2">${fork.value.own ? nothing : html`<button class="primary compare" @click=${() => { compare.value = true; sheet.value = 'none'; }}>${t('wiCompare')}</button>`}<button class="box" @click=${leaveFork}>${t('wiBack')}</button></p><pre>${fork.value.lines.join('\n')}</pre>` : nothing}
    <div class="do"><span>${t('wiThen')}</span><div class="seg">${[true, false].map((v) => html`<button aria-pressed=${runOn.value === v} @click=${() => { runOn.value = v; }}>${v ? t('runOn') : t('wait')}</button>`)}</div></div>
    ${groups(next.verbs).map(([name, all]) => html`<div class="do"><span>${name}</span>${all.map((o) => option(s, o))}</div>`)}
    <h3>${t('wiChoices')}</h3>${choices(s, next.choices)}
    <form class="do" @submit=${(e: Event) => submit(e, s)}><label>${t('wiLine')} <input name="line" autocomplete="off" spellcheck="false" required></label><button class="box">${t('do')}</button></form>`;
}

/** Options under what they act on: a broker, its thread, a guard, the rest. */
function groups(all: core.Option[]): [string, core.Option[]][] {
  const out = new Map<string, core.Option[]>();
  for (const o of all) {
    const broker = /^broker \w+ (\d+)$/.exec(o.line)?.[1];
    const thread = /^(?:hold|release) (\d+)\.controller$/.exec(o.line)?.[1];
    const guard = /^guard\.(\S+) /.exec(o.line)?.[1];
    const name = broker ?? thread ? t('broker', { b: broker ?? thread! }) : guard ? t(`guard.${guard}` as Key) : t('wiZk');
    // What is the case already need not be offered, unless it says why not.
    if (guard && !o.legal) continue;
    out.set(name, [...(out.get(name) ?? []), o]);
  }
  return [...out];
}

const verbs: Record<string, Key> = { kill: 'kill', stop: 'stopB', start: 'start', bounce: 'bounce', crash: 'crash', pause: 'pauseB', resume: 'resume', hold: 'hold', release: 'release', on: 'on', off: 'off' };

function option(s: Scene, o: core.Option): TemplateResult {
  const words = o.line.split(' ');
  const key = verbs[words[0] === 'broker' ? words[1]! : words[0]!.startsWith('guard.') ? words[1]! : words[0]!];
  const label = key ? t(key) : o.line.replace(/^(broker|zk) /, '').replace(/ \d+$/, '');
  return html`<button class="box ${o.legal ? '' : 'no'}" ?disabled=${core.busy.value || !o.legal} title=${o.reason ?? o.line} @click=${() => void what(s, o.line)}>${label}${o.legal ? nothing : html`<span class="hidden">: ${o.reason}</span>`}</button>`;
}

function choices(s: Scene, all: core.Pending[]): TemplateResult {
  if (all.length === 0) return html`<p class="hint">${core.busy.value ? t('wiWorking') : t('wiNoChoices')}</p>`;
  return html`<ul class="choices">${all.slice(0, 12).map((c) => html`<li><span>${c.what} <code>${c.id}</code></span><button class="box" ?disabled=${core.busy.value} title=${c.line} @click=${() => void what(s, c.line)}>${t('deliver')}</button></li>`)}</ul>`;
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
  return html`<section class="panic" role="alert"><h3>${t('corePanic')}</h3><p>${p.message}</p><pre>${[p.setup, p.script].join('\n')}</pre><p>seed ${p.seed} · ${t('stepN', { n: p.step })}</p>
    <p class="row2"><button class="box" @click=${() => void navigator.clipboard?.writeText(report)}>${t('copyReport')}</button><button class="box" @click=${core.restart}>${t('retry')}</button></p></section>`;
}
