// Code in sync with the steps: Kafka's function in few lines, ours in Go, and where Kafka's stands.
import { html, nothing, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import { root } from '../frame.ts';
import type { Step } from '../gen/trace.ts';
import { type Key, t } from '../i18n.ts';
import type { Recording } from '../record.ts';
import { type Pseudo, type Side, sidePart } from '../side.ts';
import { lit, openAsk, pointed, rec, run, type Scene, stops } from '../state.ts';

type Form = 'pseudo' | 'go' | 'links';
const forms: [Form, Key][] = [['pseudo', 'codePseudo'], ['go', 'codeGo'], ['links', 'codeLinks']];
const form = signal<Form>('pseudo');

export function code(s: Scene): TemplateResult {
  const m = s.step?.msg ? s.rec.trace.msgs[s.step.msg.key] : undefined;
  if (!s.step || !m) return html`<p class="hint">${t('codeNone')}</p>`;
  const side = sidePart();
  return html`<div class="tabs forms" role="tablist" aria-label=${t('code')}>${forms.map(([f, k]) => html`<button role="tab" id="form-${f}" aria-selected=${form.value === f} aria-controls="form" tabindex=${form.value === f ? 0 : -1} @click=${() => { form.value = f; }} @keydown=${arrows}>${t(k)}</button>`)}</div>
    <div id="form" role="tabpanel" tabindex="0" aria-labelledby="form-${form.value}">${!side ? html`<p class="hint">${t('loading')}</p><p><code>${m.src}</code></p>`
      : form.value === 'pseudo' ? pseudo(s.rec, s.step, side) : form.value === 'go' ? goCode(s.rec, s.step, m.src, side) : links(m, side)}</div>`;
}

function arrows(e: KeyboardEvent): void {
  if (e.key !== 'ArrowRight' && e.key !== 'ArrowLeft') return;
  e.stopPropagation();
  const i = forms.findIndex(([f]) => f === form.value);
  form.value = forms[(i + (e.key === 'ArrowRight' ? 1 : forms.length - 1)) % forms.length]![0];
  requestAnimationFrame(() => document.getElementById('form-' + form.value)?.focus());
}

const common = /^(zk|event|batch|channel|zkclient)\./;

/** What belongs to one text only names the text; the rest belongs to the text that its thread is in. */
function own(side: Side, key: string): Pseudo | undefined {
  const all = side.pseudo.filter((p) => p.lines.some((l) => l.at?.includes(key)));
  return all.length === 1 && !common.test(key) ? all[0] : undefined;
}

/** The thread that a step belongs to: its lane, or that of the broker whose request ZooKeeper carries out. */
function threads(s: Step): string[] {
  const client = s.msg?.args?.client;
  return s.lane === 'zk' && client !== undefined ? [`${String(client)}.controller`, `${String(client)}.config`] : [s.lane];
}

const far = 60;

/** The text that a step is told in: its own, else that of its thread's next or last step that has one and knows the step. */
export function pseudoOf(r: Recording, s: Step, side: Side): Pseudo | undefined {
  const key = s.msg?.key;
  if (key === undefined) return undefined;
  const mine = own(side, key);
  if (mine) return mine;
  const here = threads(s);
  for (const by of [1, -1] as const) {
    for (let i = s.i + by; Math.abs(i - s.i) <= far; i += by) {
      const x = r.step(i);
      if (!x) break;
      if (!here.includes(x.lane) || !x.msg) continue;
      if (x.kind === 'event.take' || x.kind === 'event.done') break;
      const p = own(side, x.msg.key);
      if (p?.lines.some((l) => l.at?.includes(key))) return p;
    }
  }
  return common.test(key) ? undefined : side.pseudo.find((p) => p.lines.some((l) => l.at?.includes(key)));
}

/** The steps of this run that may be shown: those before the next open question. */
function told(r: Recording): number {
  const open = stops.value[openAsk.value];
  return open && open.run === run.value ? open.at : r.length;
}

/** Lights the steps that a line ran; none when the pointer leaves. */
function light(r: Recording, ran: ((s: Step) => boolean) | undefined): void {
  const found = new Set<number>();
  if (ran) for (let i = 0; i < told(r); i++) if (ran(r.step(i)!)) found.add(i);
  lit.value = found;
}

/** The step whose lines are lit: the one pointed at, else the one shown. */
function lightOf(r: Recording, s: Step): Step {
  const i = pointed.value;
  return i >= 0 && i < told(r) && r === rec.value ? r.step(i) ?? s : s;
}

function line(text: string, n: string, on: boolean, here: boolean, say: () => ((s: Step) => boolean) | undefined, r: Recording): TemplateResult {
  const ran = say();
  const act = { on: (): void => light(r, ran), off: (): void => light(r, undefined) };
  return html`<li class="${on ? 'lit' : ''} ${here ? 'here' : ''} ${ran ? 'runs' : ''}" tabindex=${ran ? 0 : -1} aria-current=${here ? 'step' : 'false'} @mouseenter=${act.on} @mouseleave=${act.off} @focus=${act.on} @blur=${act.off}><span>${n}</span><code>${text}</code></li>`;
}

function pseudo(r: Recording, s: Step, side: Side): TemplateResult {
  const shown = lightOf(r, s);
  const p = pseudoOf(r, s, side) ?? pseudoOf(r, shown, side);
  if (!p) return html`<p class="hint">${t('codeNoPseudo')}</p>`;
  const key = (x: Step): string => (pseudoOf(r, x, side) === p ? x.msg?.key ?? '' : '');
  return html`<h3><code>${p.kafka}</code></h3><ol class="lines">${p.lines.map((l, i) => line(l.text, String(i + 1), l.at?.includes(key(shown)) === true, l.at?.includes(key(s)) === true,
    () => (l.at ? (x) => x.msg !== undefined && l.at!.includes(x.msg.key) && pseudoOf(r, x, side) === p : undefined), r))}</ol>`;
}

function goCode(r: Recording, s: Step, src: string, side: Side): TemplateResult {
  const f = side.functions[src];
  if (!f) return html`<p class="hint">${t('codeNoGo')}</p><p><code>${src}</code></p>`;
  const at = (x: Step): number[] => (x.msg && r.trace.msgs[x.msg.key]?.src === src ? side.lines[x.msg.key] ?? [] : []);
  const shown = lightOf(r, s);
  const keys = (n: number): string[] => Object.keys(side.lines).filter((k) => r.trace.msgs[k]?.src === src && side.lines[k]!.includes(n));
  return html`<h3><code>${f.file}</code></h3><ol class="lines go ${at(s).length ? '' : 'whole'}">${f.text.split('\n').map((text, i) => line(text.replaceAll('\t', '  '), String(f.line + i), at(shown).includes(i), at(s).includes(i),
    () => { const ks = keys(i); return ks.length ? (x) => x.msg !== undefined && ks.includes(x.msg.key) : undefined; }, r))}</ol>`;
}

function links(m: { src: string; kafka: string; article?: string }, side: Side): TemplateResult {
  const file = side.links[m.kafka];
  return html`<dl class="pairs"><dt>${t('our')}</dt><dd><code>${m.src}</code></dd>
    ${m.kafka ? html`<dt>${t('kafka')}</dt><dd><code>${m.kafka}</code>${file ? html`<br><a href=${file.url} rel="noreferrer external">${file.path}</a>` : nothing}</dd>` : nothing}
    ${m.article ? html`<dt>${t('article')}</dt><dd><a href="${root.dataset.home}articles/#${m.article}">${m.article}</a></dd>` : nothing}</dl>`;
}
