// The trace page: a recording of a lesson, of the command line or of the sandbox, step by step, with filters.
import { html, nothing, type TemplateResult } from 'lit-html';
import { effect } from '@preact/signals-core';
import '../../css/trace.css';
import { behind, firstDrawn } from '../begin.ts';
import * as core from '../core.ts';
import { icon, medium } from '../dom.ts';
import { root } from '../frame.ts';
import { t } from '../i18n.ts';
import { onKey } from '../keys.ts';
import { share, shareAs } from '../link.ts';
import { inspector } from '../parts/inspector.ts';
import { help, noticeBar, pagesMenu, topbar, type Urls } from '../parts/shell.ts';
import { save } from '../save.ts';
import { at, notice, scene, sheet, type Scene } from '../state.ts';
import { detail } from '../viewer/detail.ts';
import { film } from '../viewer/film.ts';
import { next, reveal, stepList, steps } from '../viewer/list.ts';
import { markdown } from '../viewer/markdown.ts';
import { openAddress, opened, openFile, second, show } from '../viewer/open.ts';
import { expected, regression } from '../viewer/regression.ts';
import { type Fill, ready, use, w } from '../viewer/words.ts';

const data = root.dataset as Record<string, string>;
const urls: Urls = { page: 'trace', home: data.home!, other: data.other!, nav: JSON.parse(data.nav!) as Urls['nav'] };

function picker(label: string, beside: boolean): TemplateResult {
  return html`<label class="box file">${label}<input type="file" class="hidden" accept=".json,.jsonl,.txt" @change=${(e: Event) => void openFile((e.target as HTMLInputElement).files?.[0], beside)}></label>`;
}

function door(): TemplateResult {
  return html`<main class="door" id="stage" tabindex="-1"><h1 id="headline">${w('head')}</h1><p>${w('lead')}</p>
    <div class="drop">${picker(w('choose'), false)}<span>${w('drop')}</span></div><p class="hint">${w('nothingUploaded')}</p>
    <h2>${w('ready')}</h2><ul>${ready().map((r) => html`<li><a href=${'#t=' + r.file} @click=${() => void openAddress(data.up!, r.file, `${r.title} · ${r.run}`)}>${r.title} <small>${r.run}</small></a></li>`)}</ul></main>`;
}

/** Executes the recording again and says whether the core makes the same of it. */
async function replay(): Promise<void> {
  const o = opened.value!;
  const { setup, script, seed } = o.rec.trace;
  try {
    const out = await core.open({ setup: String(setup), script, seed });
    opened.value = { ...o, verified: out.trace.hash === o.rec.trace.hash ? 'same' : 'differs' };
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

/** Saves the run as a script with the chosen steps as expectations. */
async function script(): Promise<void> {
  const o = opened.value!;
  notice.value = '';
  try {
    save('regression.txt', await regression(o.rec, o.name));
  } catch (e) {
    notice.value = (e as Error).message;
  }
}

function bar(s: Scene): TemplateResult {
  const o = opened.value!;
  const can = core.status.value.at === 'ready' && typeof o.rec.trace.setup === 'string';
  return html`<section class="file" aria-label=${o.name}><h2>${o.name}</h2><span class="meta">${w('about1', { n: s.rec.length, schema: o.rec.trace.schema, hash: o.rec.trace.hash, core: o.rec.trace.core })} ${o.verified === 'same' ? html`<b class="ok">${w('verified')}</b>` : o.verified === 'differs' ? html`<b class="err">${w('notVerified')}</b>` : nothing}</span><span class="space"></span>
    ${o.verified === '' && can ? html`<button class="box" ?disabled=${core.busy.value} @click=${() => void replay()}>${w('replay')}</button>` : nothing}
    ${can && expected.value.length ? html`<button class="box" ?disabled=${core.busy.value} @click=${() => void script()}>${w('regression', { n: expected.value.length })}</button>` : nothing}
    ${picker(w('second'), true)}<button class="box" @click=${() => save('trace.md', markdown(o.name, o.rec.trace.hash, steps.value))}>Markdown</button>
    <button class="box" @click=${() => { opened.value = undefined; second.value = undefined; expected.value = []; history.replaceState(null, '', location.pathname); }}>${t('close')}</button></section>${compared()}`;
}

/** What a second recording shows: where it parts from the first. */
function compared(): TemplateResult | typeof nothing {
  const b = second.value;
  if (!b) return nothing;
  const p = b.part;
  if (!p) return html`<p class="compared" role="status">${w('agree', { name: b.name })}</p>`;
  const other = b.rec.step(p.b);
  return html`<p class="compared" role="status">${w('part', { name: b.name, n: p.a })} <button class="link" @click=${() => show(p.a)}>${w('there')}</button> ${other ? html`<code>${other.id} ${other.kind} ${other.entity ?? ''} ${JSON.stringify(other.msg?.args ?? {})}</code>` : w('missing')}</p>`;
}

function transport(s: Scene): TemplateResult {
  return html`<nav aria-label=${t('play')}><div class="transport" role="toolbar" aria-label=${t('play')}><button class="sq" aria-label=${t('back')} @click=${() => next(s.at, -1)}>${icon('back')}</button><button class="sq" aria-label=${t('next')} @click=${() => next(s.at, 1)}>${icon('next')}</button>
    <span class="count"><b>${s.at}</b> / ${s.rec.length - 1}</span><span class="space"></span><button class="box" @click=${share}>${icon('share')} ${t('share')}</button></div></nav>`;
}

function page(): TemplateResult {
  const s = opened.value ? scene.value : undefined;
  const menu = sheet.value === 'menu' ? html`<div class="sheet left">${pagesMenu(urls)}</div>` : nothing;
  if (!s) return html`${topbar(undefined, urls)}${door()}${noticeBar()}${menu}`;
  return html`<a class="skip" href="#stage">${t('skip')}</a>${topbar(s, urls)}${bar(s)}${film(s)}
    <div class="main viewer">${stepList(s)}${detail(s)}${medium() ? nothing : inspector(s)}</div>${transport(s)}${noticeBar()}${menu}
    ${medium() && sheet.value === 'inspector' ? html`<div class="sheet bottom"><button class="grip" aria-label=${t('close')} @click=${() => { sheet.value = 'none'; }}></button>${inspector(s)}</div>` : nothing}${sheet.value === 'help' ? help() : nothing}`;
}

function drawn(): TemplateResult {
  try {
    return page();
  } catch (e) {
    return html`${topbar(undefined, urls)}<main id="stage"><p class="loading" role="alert">${e instanceof Error ? e.message : String(e)}</p></main>`;
  }
}

/** Opens what the address names: t, a recording of this site, and i, a step. */
async function follow(): Promise<void> {
  const p = new URLSearchParams(location.hash.slice(1));
  const file = p.get('t');
  if (!file) return;
  const r = ready().find((x) => x.file === file);
  if (opened.value?.address !== file && !await openAddress(data.up!, file, r ? `${r.title} · ${r.run}` : file)) return;
  const i = Number(p.get('i') ?? 0);
  show(i);
  const [want, have] = [p.get('c'), scene.value?.step?.hash];
  if (want && have && want !== have) notice.value = t('hashDiffers', { want, have });
}

function keys(e: KeyboardEvent): void {
  const el = e.target as HTMLElement;
  const field = el instanceof HTMLSelectElement || (el instanceof HTMLInputElement && el.type !== 'radio');
  const s = opened.value ? scene.value : undefined;
  if (s && !field && !e.ctrlKey && !e.altKey && !e.metaKey && ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'].includes(e.key) && !(el instanceof Element && el.closest('[role=tablist]'))) {
    next(s.at, e.key === 'ArrowRight' || e.key === 'ArrowDown' ? 1 : -1);
    e.preventDefault();
  } else onKey(e);
}

async function begin(): Promise<void> {
  use(JSON.parse(data.fill!) as Fill);
  await firstDrawn(drawn, keys);
  shareAs(() => void navigator.clipboard?.writeText(location.href).then(() => { notice.value = t('copied'); }));
  addEventListener('dragover', (e) => e.preventDefault());
  addEventListener('drop', (e) => { e.preventDefault(); void openFile(e.dataTransfer?.files[0], opened.value !== undefined); });
  addEventListener('hashchange', () => void follow());
  await follow();
  effect(() => {
    const i = at.value;
    const o = opened.value;
    if (!o) return;
    requestAnimationFrame(() => reveal(i));
    if (o.address) history.replaceState(null, '', `#t=${o.address}&i=${i}&c=${o.rec.step(i)?.hash ?? ''}`);
  });
  behind();
}

begin().catch((e: unknown) => { notice.value = e instanceof Error ? e.message : String(e); });

/** For tests. */
Object.assign(globalThis, { controllerscopePage: { dump: () => scene.value?.doc.dump() ?? '', at: () => at.value, length: () => scene.value?.rec.length ?? 0, hash: () => opened.value?.rec.trace.hash ?? '', shown: () => steps.value.length } });
