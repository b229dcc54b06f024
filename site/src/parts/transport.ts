// Transport: the buttons that move the cursor, and the bar of the phone.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon, medium, narrow } from '../dom.ts';
import { t } from '../i18n.ts';
import { asked, compare, first, fork, last, leaveFork, level, type Level, move, openPane, playing, sheet, speed, stopIndex, stops } from '../state.ts';
import { share } from '../link.ts';
import { speeds, togglePlay } from '../play.ts';

const levels: Level[] = ['act', 'stop', 'micro'];
export function transport(): TemplateResult {
  const n = stopIndex.value + 1;
  const m = stops.value.length;
  if (narrow()) return phone(n, m);
  return html`<nav aria-label=${t('play')}><div class="transport" role="toolbar" aria-label=${t('play')}>
    <button class="plain" aria-label=${t('first')} @click=${first}>${icon('first')}</button>
    <button class="sq" aria-label=${t('back')} @click=${() => move(-1)}>${icon('back')}</button>
    <button class="primary" @click=${togglePlay}>${icon(playing.value ? 'pause' : 'run')} ${playing.value ? t('pause') : t('play')}</button>
    <button class="sq" aria-label=${t('next')} ?disabled=${asked.value !== undefined} @click=${() => move(1)}>${icon('next')}</button>
    <button class="plain" aria-label=${t('last')} @click=${last}>${icon('last')}</button>
    <span class="count"><b>${n}</b> / ${m}</span>
    <div class="seg" role="group" aria-label=${t('stop')}>${levels.map((l) => html`<button aria-pressed=${level.value === l} @click=${() => { level.value = l; }}>${t(l)}</button>`)}</div>
    <button class="plain speed" aria-label="${t('speed')} ${speed.value}×" @click=${() => { speed.value = speeds[(speeds.indexOf(speed.value) + 1) % speeds.length]!; }}>${speed.value}×</button>
    <span class="space"></span>
    ${medium() ? nothing : html`<span class="keys" aria-hidden="true">${t('hintStep')} <kbd>←</kbd><kbd>→</kbd> ${t('hintWhy')} <kbd>W</kbd> ${t('hintKeys')} <kbd>?</kbd></span>`}
    ${fork.value ? html`${fork.value.own ? nothing : html`<button class="box" @click=${() => { compare.value = !compare.value; }}>${t('wiCompare')}</button>`}<button class="box leave" @click=${leaveFork}>${t('wiBack')}</button>` : nothing}
    <button class="box" @click=${() => openPane('whatif')}>${icon('fork')} ${t('whatif')}</button>
    <button class="box" aria-label=${t('share')} @click=${share}>${icon('share')} ${medium() ? nothing : t('share')}</button></div></nav>`;
}

function phone(n: number, m: number): TemplateResult {
  return html`<nav aria-label=${t('play')}><div class="transport phone" role="toolbar" aria-label=${t('play')}><progress max=${Math.max(1, m)} value=${n} aria-label="${n} / ${m}"></progress>
    <button aria-label=${t('back')} @click=${() => move(-1)}>${icon('back')}</button>
    <button aria-label=${playing.value ? t('pause') : t('play')} @click=${togglePlay}>${icon(playing.value ? 'pause' : 'run')}</button>
    <button class="primary" ?disabled=${asked.value !== undefined} @click=${() => move(1)}>${icon('next')} ${t('next')}</button>
    <button aria-label=${t('moreActions')} @click=${() => { sheet.value = sheet.value === 'inspector' ? 'none' : 'inspector'; }}>${icon('dots')}</button></div></nav>`;
}
