// What stands around the stage: the top bar, sheets, the notice, and the list of keys.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon, medium, narrow } from '../dom.ts';
import { type Key, t } from '../i18n.ts';
import { place } from '../link.ts';
import { toggleTheme } from '../theme.ts';
import { acts, fork, lesson, notice, projector, type Scene, sheet, stopIndex, stops } from '../state.ts';

/** Where links of the top bar lead: home and nav below the language's root, other to this page in the other language. */
export interface Urls { page?: string; home: string; other: string; nav: { Name: string; Path: string; Text: string }[] }

export function topbar(s: Scene | undefined, urls: Urls): TemplateResult {
  const l = lesson.value;
  const name = l ? `${l.number} · ${l.title}` : t('app');
  const act = acts.value[s?.stop?.act ?? 0]?.title ?? '';
  const menu = html`<button class="plain" aria-label=${t('menu')} aria-expanded=${sheet.value === 'menu'} @click=${() => { sheet.value = sheet.value === 'menu' ? 'none' : 'menu'; }}>${icon('menu')}</button>`;
  const other = html`<a class="lang" href=${urls.other} hreflang=${document.documentElement.lang === 'zh' ? 'en' : 'zh'} @click=${(e: Event) => { if (!fork.value) (e.currentTarget as HTMLAnchorElement).href = urls.other + place(); }}>${t('other')}</a>`;
  if (narrow()) return html`<header class="top">${menu}<b>${name}</b><span class="space"></span>${other}${stops.value.length > 0 ? html`<span class="count"><b>${stopIndex.value + 1}</b> / ${stops.value.length}</span>` : nothing}</header>`;
  return html`<header class="top">${medium() ? html`${menu}<a class="logo" href=${urls.home} aria-label=${t('app')}>${icon('logo')}</a><b>${name}</b><span class="act">${act ? `${t('act')} ${(s?.stop?.act ?? 0) + 1} · ${act}` : ''}</span>`
    : html`<a class="logo" href=${urls.home}>${icon('logo')} <b>${t('app')}</b></a><nav aria-label=${t('pages')}>${urls.nav.map((n) => html`<a href=${urls.home + n.Path} aria-current=${n.Name === (urls.page ?? 'lessons') ? 'page' : nothing}>${n.Text}</a>`)}</nav>`}
    <span class="space"></span>${other}<button class="plain" aria-label=${t('theme')} @click=${toggleTheme}>${icon('theme')}</button>${l ? html`<button class="plain" aria-label=${t('kProjector')} @click=${() => { projector.value = true; }}>${icon('screen')}</button>` : nothing}<button class="plain" aria-label=${t('help')} @click=${() => { sheet.value = sheet.value === 'help' ? 'none' : 'help'; }}>?</button></header>`;
}

/** All pages, where the top bar has no room for them. */
export function pagesMenu(urls: Urls): TemplateResult {
  return html`<nav class="pagelist" aria-label=${t('pages')}><a href=${urls.home}>${t('app')}</a>${urls.nav.map((n) => html`<a href=${urls.home + n.Path} aria-current=${n.Name === urls.page ? 'page' : nothing}>${n.Text}</a>`)}</nav>`;
}

export function noticeBar(): TemplateResult {
  return html`<div class="notice" role="alert">${notice.value ? html`<span>${notice.value}</span><button class="plain" aria-label=${t('close')} @click=${() => { notice.value = ''; }}>✕</button>` : nothing}</div>`;
}

const keys: [string, Key][] = [['← →', 'kStop'], ['Shift ← →', 'kMicro'], ['Ctrl ← →', 'kAct'], ['Space', 'kPlay'], ['Home End', 'kEnds'], ['G', 'kGoto'], ['1 – 9', 'kActN'], [', .', 'kSpeed'],
  ['W', 'kWhy'], ['F', 'kWhatif'], ['T', 'kSpace'], ['C', 'kCharts'], ['P', 'kProjector'], ['Shift N', 'kNotes'], ['B', 'kBlank'], ['H', 'kVeil'], ['A – D', 'kHands'], ['Z', 'kClock'], ['S', 'kShare'], ['D', 'kTheme'], ['M', 'kMotion'], ['?', 'kHelp'], ['Esc', 'kClose']];

export function help(): TemplateResult {
  return html`<section class="sheet help" role="dialog" aria-label=${t('keyHelp')}><h2>${t('keyHelp')} <button class="plain" aria-label=${t('close')} @click=${() => { sheet.value = 'none'; }}>✕</button></h2>
    <dl>${keys.map(([k, w]) => html`<dt><kbd>${k}</kbd></dt><dd>${t(w)}</dd>`)}</dl><p><a href="text/">${t('asText')}</a></p></section>`;
}

