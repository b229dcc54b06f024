// In a hall: the bar under the enlarged stage, and what the class is asked above it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { effect } from '@preact/signals-core';
import { icon } from '../dom.ts';
import { root } from '../frame.ts';
import { added } from '../keys.ts';
import { t } from '../i18n.ts';
import { asked, blank, fork, lesson, move, openPane, projector, stopIndex, stops, veiled } from '../state.ts';
import { handsUp, reveal } from './hands.ts';

/** The address of the stop as it can be read out and typed. */
function short(number: number): string {
  const { host, pathname } = new URL(`${root.dataset.home}l/${number}/${stopIndex.value + 1}`, location.href);
  return host + pathname;
}

export function hallBar(): TemplateResult {
  const l = lesson.value;
  return html`${handsUp()}<nav class="hall" aria-label=${t('play')}><div class="where"><b>${l ? `${l.number} · ${l.title}` : ''}</b>${l && !fork.value ? html`<code><span class="hidden">${t('shortAddress')} </span>${short(l.number)}</code>` : nothing}</div>
    <button class="sq" aria-label=${t('back')} @click=${() => move(-1)}>${icon('back')}</button>
    ${asked.value ? html`<button class="primary" @click=${reveal}>${t('reveal')} <kbd>R</kbd></button>` : html`<button class="primary" @click=${() => move(1)}>${icon('next')} ${t('next')}</button>`}<span class="count"><b>${stopIndex.value + 1}</b> / ${stops.value.length}</span><span class="space"></span>
    <button class="plain" @click=${() => { blank.value = true; }}>${t('blank')} <kbd>B</kbd></button>
    <button class="plain" aria-pressed=${veiled.value} @click=${() => { veiled.value = !veiled.value; }}>${t('veil')} <kbd>H</kbd></button>
    <button class="plain" @click=${() => added.N?.()}>${t('notes')} <kbd>⇧N</kbd></button>
    ${asked.value ? nothing : html`<button class="box" @click=${() => { projector.value = false; openPane('whatif'); }}>${icon('fork')} ${t('whatif')}</button>`}
    <button class="plain" @click=${() => { projector.value = false; }}>${t('close')} <kbd>P</kbd></button></nav>`;
}

/** The layout that is enlarged. */
const [width, height] = [864, 540];

/** Enlarges the page while the projector is on. Projectors wash out dark: light, unless the reader chose a theme. */
function enlarge(): void {
  const root = document.documentElement;
  const on = projector.value;
  root.toggleAttribute('data-projector', on);
  root.style.setProperty('--zoom', String(Math.max(1, Math.min(innerWidth / width, innerHeight / height))));
  if (on && !root.dataset.theme) root.dataset.theme = root.dataset.hall = 'light';
  else if (!on && root.dataset.hall) {
    delete root.dataset.hall;
    delete root.dataset.theme;
  }
}

/** The pointer's halo: seen from the last row, and where a press was. */
const halo = document.createElement('div');
halo.className = 'halo';
halo.setAttribute('aria-hidden', 'true');

function point(e: PointerEvent): void {
  halo.style.setProperty('--x', `${e.clientX}px`);
  halo.style.setProperty('--y', `${e.clientY}px`);
  halo.classList.toggle('shown', e.pointerType === 'mouse' && e.type !== 'pointerleave');
}

function press(e: PointerEvent): void {
  point(e);
  halo.classList.remove('pressed');
  void halo.offsetWidth; // the ring begins anew
  halo.classList.add('pressed');
}

effect(() => {
  const page = document.documentElement;
  const on = projector.value;
  if (on) document.body.append(halo);
  else halo.remove();
  const change = on ? 'addEventListener' : 'removeEventListener';
  page[change]('pointermove', point as EventListener);
  page[change]('pointerleave', point as EventListener);
  page[change]('pointerdown', press as EventListener);
});

effect(enlarge);
addEventListener('resize', enlarge);
