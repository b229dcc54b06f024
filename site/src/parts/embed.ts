// A lesson inside another page (?embed=1): stage and a bar to step with. It rests while nobody can see it, and tells the page
// around it how high it would like to be: postMessage({controllerscope: 'height', height}) in px.
import { html, type TemplateResult } from 'lit-html';
import { effect } from '@preact/signals-core';
import { icon, size } from '../dom.ts';
import { t } from '../i18n.ts';
import { place } from '../link.ts';
import { halt, togglePlay } from '../play.ts';
import { lesson, move, playing, stopIndex, stops } from '../state.ts';

export function embedBar(): TemplateResult {
  const l = lesson.value!;
  return html`<nav class="hall embedbar" aria-label=${t('play')}><b>${l.number} · ${l.title}</b>
    <button class="sq" aria-label=${t('back')} @click=${() => move(-1)}>${icon('back')}</button>
    <button class="sq" aria-label=${playing.value ? t('pause') : t('play')} @click=${togglePlay}>${icon(playing.value ? 'pause' : 'run')}</button>
    <button class="primary" aria-label=${t('next')} @click=${() => move(1)}>${icon('next')}</button>
    <span class="count"><b>${stopIndex.value + 1}</b> / ${stops.value.length}</span>
    <a href=${location.pathname + place()} target="_blank" rel="noopener">${t('embedOpen')}</a></nav>`;
}

/** The height that a stage of this width is good at. It follows from the width alone, so that the two pages settle at once. */
export function heightFor(width: number): number { return width <= 700 ? 720 : Math.round(Math.max(560, Math.min(800, width * 0.56))); }

effect(() => { parent.postMessage({ controllerscope: 'height', height: heightFor(size.value.width) }, '*'); });
new IntersectionObserver((seen) => { if (!seen[seen.length - 1]!.isIntersecting) halt(); }).observe(document.documentElement);
document.addEventListener('visibilitychange', () => { if (document.hidden) halt(); });
