// The page of one lesson: loads words, lesson and recordings, draws the views of the cursor, starts the core behind.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { batch, effect } from '@preact/signals-core';
import * as core from './core.ts';
import { medium, narrow, size } from './dom.ts';
import { draw, firstPainted, painted, root, speak, text } from './frame.ts';
import { allWords, t, useWords } from './i18n.ts';
import { keepOffline } from './keep.ts';
import { added, onKey } from './keys.ts';
import { futuresPart, lazy, onTheWay, spacetimePart, whatifPart } from './lazy.ts';
import type { Lesson } from './lesson.ts';
import { embedded, follow, keepPlace, openPlace, recall, remember, shareAs } from './link.ts';
import { score } from './parts/score.ts';
import { help, noticeBar, pagesMenu, topbar, type Urls } from './parts/shell.ts';
import { stage } from './parts/stage.ts';
import { readRecording } from './record.ts';
import { recallTheme } from './theme.ts';
import { answers, asked, at, blank, compare, fork, gotoStop, lesson, notice, pane, projector, recordings, run, scene, sheet, spacetime } from './state.ts';

const data = root.dataset as Record<string, string>;
const urls: Urls = { home: data.home!, other: data.other!, nav: JSON.parse(data.nav!) as Urls['nav'] };

const aroundPart = lazy(() => import('./parts/around.ts'));
const embedPart = lazy(() => import('./parts/embed.ts'));
const hallPart = lazy(() => import('./parts/hall.ts'));

function loading(): TemplateResult { return html`<main id="stage"><p class="loading">${t('loading')}</p></main>`; }

/** What stands around the stage comes behind the first picture; until then boxes keep its place. */
function around(): ReturnType<typeof aroundPart> { return painted.value ? aroundPart() : undefined; }

function page(): TemplateResult {
  const s = scene.value;
  if (!s) return html`${topbar(undefined, urls)}${loading()}${noticeBar()}`;
  const a = around();
  const two = compare.value || (!fork.value && s.stop?.focus?.includes('futures') === true && !s.hidden);
  const st = core.status.value;
  const full = spacetime.value;
  const dark = blank.value ? html`<div class="blank" role="status"><span class="hidden">${t('blanked')}</span></div>` : nothing;
  if (embedded) return html`<div class="main embedded">${full ? spacetimePart()?.diagram(s) ?? loading() : two ? futuresPart()?.futures(s) ?? loading() : stage(s, a?.ending())}</div>${embedPart()?.embedBar() ?? nothing}${noticeBar()}${dark}`;
  if (projector.value && !full) return html`<div class="main ${two ? 'two' : ''}">${two ? futuresPart()?.futures(s) ?? loading() : stage(s, a?.ending())}</div>${hallPart()?.hallBar() ?? nothing}${noticeBar()}${dark}`;
  return html`<a class="skip" href="#stage">${t('skip')}</a><nav aria-label=${t('asText')}><a class="skip" href="text/">${t('asText')}</a></nav>${topbar(s, urls)}
    <div class="main ${full ? 'spaced' : two ? 'two' : ''}">${full ? spacetimePart()?.diagram(s) ?? loading() : two ? futuresPart()?.futures(s) ?? loading() : html`${medium() ? nothing : a?.rail() ?? html`<div class="rail"></div>`}${stage(s, a?.ending())}${medium() ? nothing : a?.beside(s) ?? html`<div class="inspector"></div>`}`}</div>
    ${!two && !full && medium() && !narrow() ? a?.handleRow() ?? html`<div class="handle"></div>` : nothing}
    ${medium() ? nothing : a ? score(s) : html`<div class="score"></div>`}${a?.transport() ?? html`<div class="transport ${narrow() ? 'phone' : ''}"></div>`}${noticeBar()}
    ${sheet.value === 'menu' ? html`<div class="sheet left">${a?.rail() ?? nothing}${pagesMenu(urls)}</div>` : sheet.value === 'help' ? help() : nothing}
    ${medium() && (sheet.value === 'inspector' || (narrow() && asked.value)) ? html`<div class="sheet bottom"><button class="grip" aria-label=${t('close')} @click=${() => { sheet.value = 'none'; }}></button>${a?.beside(s) ?? nothing}</div>` : nothing}
    ${st.at === 'panic' && pane.value !== 'whatif' ? html`<div class="sheet bottom">${whatifPart()?.panicCard(st.panic) ?? nothing}</div>` : nothing}${dark}`;
}

/** The page; what it cannot show it says. */
function drawn(): TemplateResult {
  try {
    return page();
  } catch (e) {
    return html`${topbar(undefined, urls)}<main id="stage"><p class="loading" role="alert">${t('badTrace', { why: e instanceof Error ? e.message : String(e) })}</p></main>`;
  }
}

/** Opens the notes of who speaks in a window of their own; lessons that come after this one in this tab know of it. */
function openNotes(): void {
  open(data.home! + 'teach/notes/', 'controllerscope-notes', 'popup,width=560,height=820');
  try { sessionStorage.setItem('controllerscope.notes', '1'); } catch { /* known to this page only */ }
  void import('./parts/notes.ts');
}

/** Tells the notes of a lesson before that this one is open. */
function goOnWithNotes(): void {
  try { if (sessionStorage.getItem('controllerscope.notes')) void import('./parts/notes.ts'); } catch { /* no memory, no notes of the lesson before */ }
}

async function begin(): Promise<void> {
  recallTheme();
  const first = text(data.trace!);
  const [words, told] = (await Promise.all([text(data.words!), text(data.lesson!)])).map((x) => JSON.parse(x) as unknown) as [Record<string, string>, Lesson & { messages: Record<string, string> }];
  useWords(document.documentElement.lang, words, told.messages ?? {}, false);
  const base = new URL(data.lesson!, location.href);
  size.value = { ...size.value, width: innerWidth };
  draw(drawn, () => around() !== undefined);
  try {
    const recording = readRecording(await first);
    batch(() => {
      recall(told.id);
      recordings.value = [recording];
      lesson.value = told;
      if (embedded) answers.value = Object.fromEntries(told.stops.filter((s) => s.ask).map((s) => [s.id, '']));
      gotoStop(0);
    });
  } catch (e) {
    notice.value = (e as Error).message;
    return;
  }
  addEventListener('keydown', onKey);
  shareAs(() => void Promise.all([import('./parts/share-lesson.ts'), allWords]).then(([m]) => { m.shareLesson(); }));
  added.N = openNotes;
  await firstPainted;
  speak();
  goOnWithNotes();
  const [later, messages] = (await Promise.all([text(data.laterWords!), text(data.messages!)])).map((x) => JSON.parse(x) as Record<string, string>) as [Record<string, string>, Record<string, string>];
  useWords(document.documentElement.lang, { ...words, ...later }, messages);
  for (const r of told.runs.slice(1)) {
    recordings.value = [...recordings.value, readRecording(await text(new URL(r.trace, base).href))];
  }
  openPlace(location.hash);
  void import('./motion/motion.ts').then((m) => m.begin());
  addEventListener('hashchange', () => openPlace(location.hash));
  addEventListener('pagehide', keepPlace);
  document.addEventListener('visibilitychange', keepPlace);
  effect(() => { at.value; run.value; follow(); });
  const known = answers.value;
  effect(() => { if (answers.value !== known) remember(); });
  if (embedded) return;
  keepOffline(data.up!);
  core.start(new URL(data.worker!, location.href).href, new URL(data.wasm!, location.href).href);
}

begin().catch((e: unknown) => {
  notice.value = e instanceof Error ? e.message : String(e);
  render(noticeBar(), root);
});

/** For tests: the document at the cursor, the cursor, the run, the answers, and how many parts are on their way, the core one of them. */
Object.assign(globalThis, { controllerscopePage: {
  dump: () => scene.value?.doc.dump() ?? '', at: () => at.value, run: () => run.value, runs: () => recordings.value.length, from: (n: number) => lesson.value?.runs[n]?.from ?? 0, length: () => scene.value?.rec.length ?? 0,
  onTheWay: () => onTheWay() + (core.status.value.at === 'loading' ? 1 : 0),
  hash: () => scene.value?.rec.trace.hash ?? '', answer: (given: Record<string, string>) => { answers.value = given; },
  inputs: () => { const r = scene.value?.rec.trace; return r ? JSON.stringify({ setup: r.setup, script: r.script, seed: r.seed }) : ''; },
} });
