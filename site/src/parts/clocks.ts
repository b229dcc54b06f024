// The brokers' clocks below the ages, each with what its listener does, and two ways to turn them: time that passes for
// all, and a slider that sets one clock off. Both are operations at the cursor, and the core computes what follows.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { icon } from '../dom.ts';
import { t } from '../i18n.ts';
import { type Scene, scene } from '../state.ts';
import { brokersOf, processOf } from './scene.ts';
import { minutes, ms } from './time.ts';
import { what } from './whatif.ts';

/** As many clocks as there is room for. */
export const mostBrokers = 5;
const changes = '/config/changes';
/** As far as a slider sets a clock off, in minutes. */
const farthest = 30;

/** Where a slider stands that is being moved, until the future that it began is there. */
const turned = signal<{ b: string; m: number } | undefined>(undefined);
let turning = false;
let latest: Promise<void> = Promise.resolve();

/** Does a line at the cursor once what was pressed before is done. */
function then(line: string): Promise<void> {
  latest = latest.then(() => (scene.value ? what(scene.value, line) : undefined));
  return latest;
}

/** Sets a clock off; moved on meanwhile, the slider is followed to where it came to stand. */
async function turn(): Promise<void> {
  if (turning) return;
  turning = true;
  for (let x = turned.value; x; x = turned.value) {
    await then(`skew ${x.b} ${x.m < 0 ? '' : '+'}${x.m}m`);
    if (turned.value === x) turned.value = undefined;
  }
  turning = false;
}

const far = (m: number): string => (m === 0 ? t('onTime') : t(m > 0 ? 'fastBy' : 'slowBy', { m: Math.abs(m) }));

/** The clocks of all brokers, and the buttons that let time pass. start is the wall clock at virtual time 0. */
export function clocks(s: Scene, start: number): TemplateResult {
  const off = core.status.value.at !== 'ready';
  const pass = (by: string, line: string, key = ''): TemplateResult => html`<button class="box" ?disabled=${off} aria-keyshortcuts=${key || nothing} @click=${() => void then(line)}>${by}${key ? html` <kbd>${key}</kbd>` : nothing}</button>`;
  return html`<div class="turn" role="group" aria-label=${t('turn')}><h2>${t('brokers')} <small>${t('clocksSub')}</small></h2><span>${t('turn')}</span>${pass('+1 s', 'clock +1s')}${pass('+10 s', 'clock +10s')}${pass('+15 min', 'clock +15m', 'Z')}</div>
    <div class="clocks">${brokersOf(s).slice(0, mostBrokers).map((b) => clock(s, b, start, off))}</div>`;
}

/** A broker's clock, listener and counter, and what it has applied. */
function clock(s: Scene, b: string, start: number, off: boolean): TemplateResult {
  const up = s.doc.get('broker', b, 'up') === true;
  const moved = turned.value?.b === b ? turned.value.m * 60000 : undefined;
  const skew = moved ?? Number(s.doc.get('clock', b) ?? 0);
  const passing = ms(s.doc.get('notices', b, changes, 'now'));
  const time = passing ?? start + s.rec.timeAt(s.at) + skew;
  const now = !s.hidden && s.step !== undefined && processOf(s.step.lane) === b;
  const last = s.doc.get('notices', b, changes, 'last');
  const state = !up ? `✕ ${t('down')}` : passing !== undefined ? t('passNow') : s.doc.has('notices', b, changes, 'asked') ? t('passAsked') : t('passNone');
  const skewed = `${skew < 0 ? '−' : skew > 0 ? '+' : '±'}${minutes(Math.abs(skew))}`;
  const m = Math.round(skew / 60000);
  return html`<article class="clock ${now ? 'now' : ''} ${up ? '' : 'down'}" data-b=${b}>${face(time)}
    <header><h3>${t('broker', { b })} ${s.doc.has('view', 'controller', b) ? icon('crown') : nothing}</h3><time>${new Date(time).toISOString().slice(11, 19)}</time><p class=${skew ? 'skewed' : ''}>${t('skew', { s: skewed })}</p></header>
    <div class="skew"><input type="range" min=${-farthest} max=${farthest} .value=${String(m)} ?disabled=${off} aria-label=${t('clockOf', { b })} aria-valuetext=${far(m)}
      @input=${(e: Event) => { turned.value = { b, m: Number((e.currentTarget as HTMLInputElement).value) }; }} @change=${() => void turn()}></div>
    <dl><dt>lastExecutedChange</dt><dd>${last === undefined ? '∅' : String(last).replace('-', '−')}</dd>${effect(s, b, up)}</dl><p class="state">${state}</p></article>`;
}

/** What a broker applied, with ≠ where the znode says something else. */
function effect(s: Scene, b: string, up: boolean): TemplateResult[] {
  const kinds = s.doc.names('config', b).flatMap((type) => s.doc.names('config', b, type).map((name) => [type, name] as const));
  return kinds.slice(0, 2).map(([type, name]) => {
    const all = Object.entries(s.doc.record('config', b, type, name) ?? {}).map(([k, v]) => [k, String(v)] as const);
    const truth = s.doc.text('view', 'row', `/config/${type}/${name}`, 'value');
    const own = `{${all.map(([k, v]) => `${k}=${v}`).join(',')}}`;
    const differs = up && !s.hidden && truth !== '' && truth.replace(/, /g, ',') !== own;
    return html`<dt>${name} ${all[0]?.[0] ?? ''}</dt><dd class=${differs ? 'wrong' : ''}>${differs ? html`≠<span class="hidden">${t('differ')}</span> ` : nothing}${all[0]?.[1] ?? '∅'}</dd>`;
  });
}

/** A clock face: the hands stand as the digits say. */
function face(time: number): TemplateResult {
  const d = new Date(time);
  const minute = d.getUTCMinutes() * 6 + d.getUTCSeconds() / 10;
  const hour = (d.getUTCHours() % 12) * 30 + d.getUTCMinutes() / 2;
  return html`<svg viewBox="0 0 72 72" aria-hidden="true"><circle cx="36" cy="36" r="34"/>${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((k) => svg`<path d="M36 5V9" transform="rotate(${k * 30} 36 36)"/>`)}<path class="hour" d="M36 36V18" transform="rotate(${hour} 36 36)"/><path class="minute" d="M36 36V10" transform="rotate(${minute} 36 36)"/></svg>`;
}
