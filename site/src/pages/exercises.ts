// The exercises: a list, who one is, and the exercise on the stage: operations on the left, the goal on the right.
import { html, nothing, type TemplateResult } from 'lit-html';
import { effect } from '@preact/signals-core';
import '../../css/sandbox.css';
import '../../css/exercises.css';
import { behind, firstDrawn } from '../begin.ts';
import * as core from '../core.ts';
import { icon, medium, narrow } from '../dom.ts';
import { root } from '../frame.ts';
import { t } from '../i18n.ts';
import { onKey } from '../keys.ts';
import { coming, failed } from '../parts/comes.ts';
import { inspector } from '../parts/inspector.ts';
import { help, noticeBar, pagesMenu, topbar, type Urls } from '../parts/shell.ts';
import { stage } from '../parts/stage.ts';
import { commandBar } from '../sandbox/command.ts';
import { whatNext } from '../sandbox/next.ts';
import { palette } from '../sandbox/palette.ts';
import * as sandboxWords from '../sandbox/words.ts';
import { acting, act, ask, here, undo } from '../sandbox/world.ts';
import { byID, check, entry, klass, openEntry, part, recallWho, who } from '../exercise/state.ts';
import { panel } from '../exercise/panel.ts';
import { entries, type Fill, use, x } from '../exercise/words.ts';
import { at, move, notice, rec, type Scene, scene, sheet } from '../state.ts';

const data = root.dataset as Record<string, string>;
const urls: Urls = { page: 'exercises', home: data.home!, other: data.other!, nav: JSON.parse(data.nav!) as Urls['nav'] };

function list(): TemplateResult {
  const ready = core.status.value.at === 'ready';
  const known = who.value.trim() !== '';
  const field = (label: string, value: string, set: (v: string) => void): TemplateResult => html`<label class="field">${label}<input autocomplete="off" .value=${value} @input=${(e: Event) => set((e.target as HTMLInputElement).value)}></label>`;
  return html`<main class="begin" id="stage" tabindex="-1"><h1 id="headline">${x('head')}</h1><p>${x('lead')}</p>
    ${core.status.value.at === 'failed' ? failed(x('coreFailed', { why: core.status.value.why }), core.status.value.why) : ready ? nothing : coming(x('coreLoading'))}
    <form class="who" @submit=${(e: Event) => e.preventDefault()}>${field(x('who'), who.value, (v) => { who.value = v; })}${field(x('class'), klass.value, (v) => { klass.value = v; })}</form><p class="hint">${x('whoHint')}</p>
    <ul class="presets">${entries().map((e) => html`<li><button class="card" data-id=${e.exercise.id} ?disabled=${!ready || !known} @click=${() => { location.hash = e.exercise.id; }}><b>${e.exercise.id} · ${e.text.title}</b><span>${e.lessonTitle} · ${[...new Set(e.exercise.parts.map((p) => x('kind.' + p.kind)))].join(' + ')} · ${x('of', { n: e.points })}</span></button></li>`)}</ul>
    <p class="hint">${x('honest')}</p></main>`;
}

function transport(s: Scene): TemplateResult {
  const drive = part.value?.kind === 'drive';
  return html`<nav aria-label=${t('play')}><div class="transport" role="toolbar" aria-label=${t('play')}><button class="sq" aria-label=${t('back')} @click=${() => move(-1, 'micro')}>${icon('back')}</button>
    ${drive ? html`<button class="primary" ?disabled=${acting.value} @click=${() => void act('until idle')}>${icon('run')} ${sandboxWords.w('toIdle')}</button>` : nothing}
    <button class="sq" aria-label=${t('next')} @click=${() => move(1, 'micro')}>${icon('next')}</button><span class="count">${s.at < 0 ? t('before') : t('stepOf', { n: s.at, m: s.rec.length - 1 })}</span><span class="space"></span>
    ${drive ? html`<button class="box" ?disabled=${!here.value?.parent} @click=${undo}>${sandboxWords.w('undo')}</button>` : nothing}
    ${medium() ? html`<button class="box" aria-expanded=${sheet.value === 'inspector'} @click=${() => { sheet.value = sheet.value === 'inspector' ? 'none' : 'inspector'; }}>${x('goal')}</button>` : nothing}
    ${narrow() ? nothing : toList()}</div></nav>`;
}

function toList(): TemplateResult { return html`<button class="box" @click=${() => { location.hash = ''; }}>${x('toList')}</button>`; }

function page(): TemplateResult {
  const s = entry.value && here.value ? scene.value : undefined;
  const menu = sheet.value === 'menu' ? html`<div class="sheet left">${pagesMenu(urls)}</div>` : sheet.value === 'help' ? help() : nothing;
  if (!s) return html`${topbar(undefined, urls)}${list()}${noticeBar()}${menu}`;
  const drive = part.value?.kind === 'drive';
  const wide = !medium();
  return html`<a class="skip" href="#stage">${t('skip')}</a>${topbar(s, urls)}
    <div class="main bench ${drive ? '' : 'two-columns'}">${wide && drive ? palette() : nothing}${stage(s)}${wide ? html`<section class="side" aria-label=${x('goal')}>${panel()}${drive ? whatNext(s) : inspector(s)}</section>` : nothing}</div>
    ${drive ? commandBar() : nothing}${transport(s)}${noticeBar()}${menu}
    ${!wide && sheet.value === 'inspector' ? html`<section class="sheet bottom" aria-label=${x('goal')}><button class="grip" aria-label=${t('close')} @click=${() => { sheet.value = 'none'; }}></button>${narrow() ? html`<p class="back">${toList()}</p>` : nothing}${panel()}${drive ? html`${palette()}${whatNext(s)}` : narrow() ? nothing : inspector(s)}</section>` : nothing}`;
}

function drawn(): TemplateResult {
  try {
    return page();
  } catch (e) {
    return html`${topbar(undefined, urls)}<main id="stage"><p class="loading" role="alert">${e instanceof Error ? e.message : String(e)}</p></main>`;
  }
}

/** Opens the exercise that the address names. */
function follow(): void {
  const e = byID(location.hash.slice(1));
  if (e && who.value.trim() !== '') void openEntry(e);
  else entry.value = undefined;
}

async function begin(): Promise<void> {
  const fill = JSON.parse(data.fill!) as Fill;
  use(fill);
  sandboxWords.use({ words: fill.sandbox, invariants: [], presets: [] });
  recallWho();
  await firstDrawn(drawn, onKey);
  addEventListener('hashchange', follow);
  effect(() => { if (core.status.value.at === 'ready' && !core.busy.value && here.value && part.value?.kind === 'drive') { at.value; rec.value; queueMicrotask(() => void ask()); } });
  let graded: unknown;
  effect(() => { const o = here.value; if (o?.parent && !acting.value && part.value?.kind === 'drive' && o !== graded) { graded = o; queueMicrotask(() => void check()); } });
  behind();
  const stop = effect(() => { if (core.status.value.at === 'ready') queueMicrotask(() => { stop(); follow(); }); });
}

begin().catch((e: unknown) => { notice.value = e instanceof Error ? e.message : String(e); });

/** For tests. */
Object.assign(globalThis, { controllerscopePage: { ready: () => core.status.value.at === 'ready' && !core.busy.value && !acting.value, at: () => at.value, length: () => scene.value?.rec.length ?? 0, inputs: () => JSON.stringify(here.value?.inputs ?? null), hash: () => here.value?.rec.trace.hash ?? '' } });
