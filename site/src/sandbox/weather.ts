// The weather: what goes wrong by itself. The core draws every line; here is only the clock that asks for the next one.
import { html, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import * as core from '../core.ts';
import { at, compare, notice, rec } from '../state.ts';
import { act, acting, here } from './world.ts';
import { w } from './words.ts';

export type Weather = 'fair' | 'breezy' | 'storm';
const levels: Weather[] = ['fair', 'breezy', 'storm'];
const weather = signal<Weather>('fair');

/** Gusts of one spell so far, how many it has, and the time between two. */
const blown = signal(0);
const most = 24;
const pace = 2000;
/** After a gust the world gets a little time, so that something is under way at the next; after every third it comes to rest. */
const after = ['wait 3ms', 'wait 3ms', 'until idle'];

let timer = 0;
/** The number of the present spell: what one that has ended still waits for counts for nothing. */
let spell = 0;

/** Begins a spell; fair weather ends it. */
export function set(level: Weather): void {
  clearTimeout(timer);
  weather.value = level;
  spell++;
  if (level === 'fair') return;
  blown.value = 0;
  const mine = spell;
  timer = window.setTimeout(() => void blow(mine), 0);
}

/** One gust, at the end of the run that is shown; who looks at the past, or at two futures, has no wind. */
async function blow(mine: number): Promise<void> {
  const o = here.value;
  if (o && rec.value === o.rec && at.value === o.rec.length - 1 && !acting.value && !compare.value && !document.hidden) {
    const line = await core.choices(o.inputs, at.value, { weather: weather.value }).then((n) => n.gust ?? '', () => '');
    if (mine === spell && here.value === o) { // else the reader did something meanwhile
      if (line !== '') await act(line, after[blown.value % after.length]);
      if (mine !== spell) return;
      const broken = here.value.rec.step(here.value.rec.length - 1)?.invariants ?? [];
      if (++blown.value >= most || line === '' || broken.length > 0) {
        set('fair');
        notice.value = w(broken.length > 0 ? 'weatherBroke' : 'weatherOver', { n: blown.value, what: broken.join(', ') });
      }
    }
  }
  if (mine === spell) timer = window.setTimeout(() => void blow(mine), pace);
}

export function weatherBox(): TemplateResult {
  return html`<section><h2>${w('weather')}</h2><div class="seg" role="group" aria-label=${w('weather')}>${levels.map((l) => html`<button aria-pressed=${weather.value === l} @click=${() => set(l)}>${w('weather.' + l)}</button>`)}</div>
    <p class="hint">${weather.value === 'fair' ? w('weatherHint') : w('weatherNow', { n: blown.value, of: most })}</p></section>`;
}
