// The sandbox: a world of one's own on the same stage; palette on the left, what may happen next on the right.
import { html, nothing, type TemplateResult } from 'lit-html';
import { effect, signal } from '@preact/signals-core';
import '../../css/sandbox.css';
import { behind, firstDrawn } from '../begin.ts';
import * as core from '../core.ts';
import { icon, medium, narrow } from '../dom.ts';
import { seconds } from '../fmt.ts';
import { root } from '../frame.ts';
import { t } from '../i18n.ts';
import { onKey } from '../keys.ts';
import { shareAs } from '../link.ts';
import { futuresPart, whatifPart } from '../lazy.ts';
import { inspector } from '../parts/inspector.ts';
import { help, noticeBar, pagesMenu, topbar, type Urls } from '../parts/shell.ts';
import { stage } from '../parts/stage.ts';
import { commandBar, focusBar } from '../sandbox/command.ts';
import { historyTree } from '../sandbox/history.ts';
import { firstOf, whatNext } from '../sandbox/next.ts';
import { palette } from '../sandbox/palette.ts';
import { save } from '../save.ts';
import { fragment, openFragment, share } from '../sandbox/share.ts';
import { start } from '../sandbox/start.ts';
import { act, acting, ask, broker, here, next, type Op, ops, path, slow, undo } from '../sandbox/world.ts';
import { type Fill, invariants, use, w } from '../sandbox/words.ts';
import { at, compare, leaveFork, move, notice, playing, rec, type Scene, scene, selected, sheet } from '../state.ts';

const data = root.dataset as Record<string, string>;
const urls: Urls = { page: 'sandbox', home: data.home!, other: data.other!, nav: JSON.parse(data.nav!) as Urls['nav'] };

/** Which sheet is open where there is no room for columns, and whether the right column answers questions. */
const drawer = signal<'none' | 'palette' | 'next'>('none');
const asking = signal(false);

function side(s: Scene): TemplateResult {
  const tabs = html`<div class="seg sides" role="group" aria-label=${w('side')}><button aria-pressed=${!asking.value} @click=${() => { asking.value = false; }}>${w('next')}</button><button aria-pressed=${asking.value} @click=${() => { asking.value = true; }}>${t('why')}</button></div>`;
  return html`<section class="side" aria-label=${w('side')}>${tabs}${asking.value ? inspector(s) : whatNext(s)}</section>`;
}

function held(s: Scene): TemplateResult {
  const all = invariants();
  const broken = s.step?.invariants ?? [];
  const names = broken.map((b) => all.find((i) => i.name === b)?.sentence ?? b).join('; ');
  return html`<span class="invariants ${broken.length ? 'bad' : ''}" title=${names || all.map((i) => i.name).join(', ')}>${w('invariants')} ${icon(broken.length ? 'cross' : 'check')} ${w('hold', { n: all.length - broken.length, m: all.length })}<span class="hidden">${names}</span></span>`;
}

function transport(s: Scene): TemplateResult {
  const o = here.value!;
  const n = path.value.findLastIndex((x) => x.from <= s.at);
  return html`<nav aria-label=${t('play')}><div class="transport" role="toolbar" aria-label=${t('play')}>
    <button class="sq" aria-label=${t('back')} @click=${() => move(-1, 'micro')}>${icon('back')}</button>
    <button class="primary" ?disabled=${acting.value} @click=${() => void act('until idle')}>${icon('run')} ${w('toIdle')}</button>
    <button class="sq" aria-label=${t('next')} @click=${() => move(1, 'micro')}>${icon('next')}</button>
    ${narrow() ? html`<button class="box" @click=${() => toggle('palette')}>${w('palette')}</button><button class="box" @click=${() => toggle('next')}>${w('nextShort')}</button>`
    : html`<span class="count"><b>${w('op', { n: Math.max(0, n) })}</b> · ${s.at < 0 ? t('before') : t('stepOf', { n: s.at, m: s.rec.length - 1 })} · ${t('time', { s: seconds(s.rec.timeAt(s.at)) })}</span>
    ${medium() ? html`<button class="box" @click=${() => toggle('palette')}>${w('palette')}</button><button class="box" @click=${() => toggle('next')}>${w('nextShort')}</button>` : nothing}<span class="space"></span>${held(s)}
    <button class="box" ?disabled=${!o.parent} @click=${undo}>${w('undo')} <kbd>U</kbd></button>${medium() ? nothing : files(o)}`}</div></nav>`;
}

/** What can be done with the run as a whole; where there is no room it stands below the operations. */
function files(o: Op): TemplateResult {
  return html`<button class="box" @click=${() => void share(o)}>${icon('share')} ${w('share')}</button>
    <button class="box" @click=${() => save('run.trace.json', JSON.stringify(o.rec.trace))}>${w('saveTrace')}</button>
    <button class="box" @click=${() => { ops.value = []; here.value = undefined; history.replaceState(null, '', location.pathname); }}>${w('anew')}</button>`;
}

function toggle(which: 'palette' | 'next'): void { drawer.value = drawer.value === which ? 'none' : which; }

function page(): TemplateResult {
  const s = here.value ? scene.value : undefined;
  if (!s) return html`${topbar(undefined, urls)}${start()}${noticeBar()}${sheet.value === 'menu' ? html`<div class="sheet left">${pagesMenu(urls)}</div>` : nothing}`;
  const st = core.status.value;
  const wide = !medium();
  if (compare.value) return html`${topbar(s, urls)}<div class="main two">${futuresPart()?.futures(s) ?? nothing}</div>${noticeBar()}`;
  return html`<a class="skip" href="#stage">${t('skip')}</a>${topbar(s, urls)}
    <div class="main bench">${wide ? palette() : nothing}${stage(s)}${wide ? side(s) : nothing}</div>
    ${narrow() ? nothing : historyTree()}${commandBar()}${transport(s)}${noticeBar()}
    ${!wide && drawer.value === 'palette' ? html`<div class="sheet left">${palette()}${narrow() ? historyTree(() => { drawer.value = 'none'; }) : nothing}<div class="quick files">${files(here.value!)}${narrow() ? html`<button class="box" ?disabled=${!here.value!.parent} @click=${undo}>${w('undo')}</button>` : nothing}</div></div>` : nothing}
    ${!wide && drawer.value === 'next' ? html`<div class="sheet bottom">${side(s)}</div>` : nothing}
    ${!wide && sheet.value === 'inspector' ? html`<div class="sheet bottom"><button class="grip" aria-label=${t('close')} @click=${() => { sheet.value = 'none'; }}></button>${inspector(s)}</div>` : nothing}
    ${sheet.value === 'menu' ? html`<div class="sheet left">${pagesMenu(urls)}</div>` : sheet.value === 'help' ? help() : nothing}
    ${st.at === 'panic' ? html`<div class="sheet bottom">${whatifPart()?.panicCard(st.panic) ?? nothing}</div>` : nothing}`;
}

function drawn(): TemplateResult {
  try {
    return page();
  } catch (e) {
    return html`${topbar(undefined, urls)}<main id="stage"><p class="loading" role="alert">${e instanceof Error ? e.message : String(e)}</p></main>`;
  }
}

/** Keys that arrange the race; the others are those of lessons. */
function keys(e: KeyboardEvent): void {
  const el = e.target as HTMLElement;
  const field = el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement || (el instanceof HTMLInputElement && el.type !== 'radio');
  const s = scene.value;
  if (field || e.altKey || e.metaKey || e.ctrlKey || !here.value || !s) { onKey(e); return; }
  const office = next.value?.office || broker.value;
  const thread = `${office}.controller`;
  const lines: Record<string, string | undefined> = { a: s.doc.has('hold', thread) ? 'release ' + office : 'hold ' + office, x: 'zk expire ' + broker.value, r: 'broker bounce ' + broker.value,
    n: firstOf('watch')?.line, v: firstOf('control')?.line, z: 'clock +15m' };
  const k = e.key.toLowerCase();
  if (k in lines) {
    if (lines[k] === undefined) notice.value = w('nothingOf.' + k);
    else void act(lines[k]!);
  } else if (k === 'u') undo();
  else if (e.key === '/') focusBar();
  else if (e.key === 'Escape' && compare.value) leaveFork();
  else { onKey(e); return; }
  e.preventDefault();
}

async function begin(): Promise<void> {
  use(JSON.parse(data.fill!) as Fill);
  await firstDrawn(drawn, keys);
  shareAs(() => { if (here.value) void share(here.value); });
  void import('../motion/motion.ts').then((m) => m.begin());
  effect(() => { if (selected.value) asking.value = true; });
  effect(() => { if (core.status.value.at === 'ready' && !core.busy.value && here.value && !compare.value && !(playing.value && slow)) { at.value; rec.value; queueMicrotask(() => void ask()); } });
  behind();
  const stop = effect(() => { if (core.status.value.at === 'ready') queueMicrotask(() => { stop(); void openFragment(location.hash); }); });
}

begin().catch((e: unknown) => { notice.value = e instanceof Error ? e.message : String(e); });

/** For tests: the document, the inputs, the link. */
Object.assign(globalThis, { controllerscopePage: {
  dump: () => scene.value?.doc.dump() ?? '', hash: () => here.value?.rec.trace.hash ?? '', at: () => at.value, length: () => scene.value?.rec.length ?? 0, ready: () => core.status.value.at === 'ready' && !core.busy.value,
  inputs: () => JSON.stringify(here.value?.inputs ?? null), ops: () => ops.value.length, link: () => (here.value ? fragment(here.value) : Promise.resolve('')),
} });
