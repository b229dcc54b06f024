// How a world begins: a preset, a cluster built by hand, a tree of a real ZooKeeper, or a script.
import { html, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { coming, failed } from '../parts/comes.ts';
import { actAll, begin } from './world.ts';
import { type Preset, presets, w } from './words.ts';

const plan = signal({ brokers: 3, topics: 1, partitions: 2, replicas: 3, servers: 1 });

/** The set-up of a cluster as the sliders say. */
export function setupOf(p: typeof plan.value): string {
  const ids = Array.from({ length: p.brokers }, (_, i) => i);
  const lines = [`cluster brokers=${ids.join(',')}${p.servers > 1 ? ` servers=${p.servers}` : ''}`];
  for (const b of ids) lines.push(`broker start ${b}`, 'until idle');
  for (let t = 1; t <= p.topics; t++) lines.push(`topic create t${t} ${p.partitions}x${Math.min(p.replicas, p.brokers)}`, 'until idle');
  return lines.join('\n') + '\n';
}

async function preset(p: Preset): Promise<void> {
  const many = p.often ? `${p.often.line}\n`.repeat(p.often.times) + 'until idle\n' : '';
  if (await begin({ setup: p.setup + many, script: '', seed: 1 })) await actAll(p.script);
}

function number(name: keyof typeof plan.value, min: number, max: number): TemplateResult {
  return html`<label>${w('plan.' + name)} <output>${plan.value[name]}</output><input type="range" min=${min} max=${max} .value=${String(plan.value[name])}
    @input=${(e: Event) => { plan.value = { ...plan.value, [name]: Number((e.target as HTMLInputElement).value) }; }}></label>`;
}

/** Reads a text area and hands it on. */
function given(e: Event, go: (text: string) => void): void {
  e.preventDefault();
  const text = new FormData(e.target as HTMLFormElement).get('text');
  if (typeof text === 'string' && text.trim()) go(text);
}

async function fileInto(e: Event): Promise<void> {
  const input = e.target as HTMLInputElement;
  const file = input.files?.[0];
  const area = input.form?.querySelector('textarea');
  if (file && area) area.value = await file.text();
}

export function start(): TemplateResult {
  const ready = core.status.value.at === 'ready' && !core.busy.value;
  return html`<main class="begin" id="stage" tabindex="-1"><h1>${w('beginHead')}</h1><p>${w('beginText')}</p>
    ${core.status.value.at === 'failed' ? failed(w('coreFailed', { why: core.status.value.why }), core.status.value.why) : ready ? '' : coming(w('coreLoading'))}
    <section><h2>${w('presets')}</h2><div class="presets">${presets().map((p) => html`<button class="card" data-id=${p.id} ?disabled=${!ready} @click=${() => void preset(p)}><b>${p.title}</b><span>${p.about}</span></button>`)}</div></section>
    <section><h2>${w('build')}</h2><form class="plan" @submit=${(e: Event) => { e.preventDefault(); void begin({ setup: setupOf(plan.value), script: '', seed: 1 }); }}>
      ${number('brokers', 1, 5)}${number('topics', 0, 4)}${number('partitions', 1, 10)}${number('replicas', 1, 5)}${number('servers', 1, 3)}<button class="primary" ?disabled=${!ready}>${w('begin')}</button></form></section>
    <section><h2>${w('tree')}</h2><p class="hint">${w('treeHint')}</p><form @submit=${(e: Event) => given(e, (tree) => void begin({ setup: '', script: '', seed: 1, tree }))}>
      <textarea name="text" rows="5" spellcheck="false" aria-label=${w('tree')} required></textarea><p class="row2"><button class="primary" ?disabled=${!ready}>${w('takeOver')}</button><label class="file">${w('fromFile')} <input type="file" @change=${fileInto}></label></p></form></section>
    <section><h2>${w('script')}</h2><p class="hint">${w('scriptHint')}</p><form @submit=${(e: Event) => given(e, (script) => void begin({ setup: '', script, seed: 1 }))}>
      <textarea name="text" rows="5" spellcheck="false" aria-label=${w('script')} required></textarea><p class="row2"><button class="primary" ?disabled=${!ready}>${w('begin')}</button><label class="file">${w('fromFile')} <input type="file" @change=${fileInto}></label></p></form></section></main>`;
}
