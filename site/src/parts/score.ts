// The score: four lines of time, a dot per step, and the scrubber on top.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { seconds } from '../fmt.ts';
import type { Step } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import { answers, goto, origin, run, type Scene, stopIndex, stops } from '../state.ts';

const width = 1200;
const most = 240;

/** The line a step stands on: by its kind, the four columns of the stage. */
function lineOf(s: Step): number {
  const family = s.kind.slice(0, s.kind.indexOf('.') < 0 ? undefined : s.kind.indexOf('.'));
  if (family === 'zk' || family === 'watch' || family === 'session') return 0;
  if (family === 'req' || family === 'resp') return 2;
  if (family === 'event' || family === 'ctx' || family === 'sm' || s.lane.endsWith('.controller')) return 1;
  return 3;
}

export function score(s: Scene): TemplateResult {
  const from = Math.max(0, origin.value);
  const to = s.rec.length - 1;
  const own = stops.value.filter((p) => p.run === run.value);
  const dots = to - from < most ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : [...new Set(own.map((p) => p.at))];
  const x = (i: number): number => (to === from ? width / 2 : 6 + ((i - from) / (to - from)) * (width - 12));
  const here = stops.value[stopIndex.value];
  const begin = here ? (own[own.findIndex((p) => p.at === here.at) - 1]?.at ?? from - 1) : from - 1;
  const y = (i: number): number => 9 + 13 * lineOf(s.rec.step(i)!);
  const part = (lo: number, hi: number): string => dots.filter((i) => i >= lo && i <= hi).map((i) => `${x(i).toFixed(1)},${y(i)}`).join(' ');
  const value = Math.max(from, s.at);
  return html`<div class="score"><div class="when"><b>${t('time', { s: seconds(s.rec.timeAt(s.at)) })}</b><br>${t('stepOf', { n: s.at + 1, m: s.rec.length })}</div>
    <div class="names" aria-hidden="true"><span>${t('zk')}</span><span>${t('controller')}</span><span>${t('requests')}</span><span>${t('brokers')}</span></div>
    <div class="track"><svg viewBox="0 0 ${width} 64" preserveAspectRatio="none" aria-hidden="true">
      ${[0, 1, 2, 3].map((k) => svg`<path d="M0 ${9 + 13 * k}H${width}" class="line"/>`)}
      <polyline points=${part(from, s.at)} class="past"/><polyline points=${part(s.at, to)} class="ahead"/><polyline points=${part(begin + 1, s.at)} class="now"/>
      ${own.filter((p, i) => i > 0 && p.act !== own[i - 1]!.act).map((p) => svg`<path d="M${x(p.at)} 0V64" class="act"/>`)}</svg>
    <svg class="marks" width="100%" height="64" aria-hidden="true">${dots.map((i) => svg`<circle cx="${(x(i) / width) * 100}%" cy=${y(i)} r="2" class=${i > s.at ? 'ahead' : i > begin && i <= s.at ? 'now' : 'past'}/>`)}
      ${own.map((p) => p.ask ? svg`<text x="${(x(p.at) / width) * 100}%" y="61" text-anchor="middle" class="q ${mark(p.id, p.ask.choices.find((c) => c.right)?.id)}">${answers.value[p.id] ? '◆' : '◇'}</text>` : svg`<line x1="${(x(p.at) / width) * 100}%" x2="${(x(p.at) / width) * 100}%" y1="54" y2="61" class="tick"/>`)}
      ${s.at >= from ? svg`<line x1="${(x(value) / width) * 100}%" x2="${(x(value) / width) * 100}%" y1="0" y2="64" class="cursor"/><circle cx="${(x(value) / width) * 100}%" cy=${y(value)} r="4.5" class="cursor"/>` : nothing}</svg>
    <input type="range" min=${from} max=${to} .value=${String(value)} aria-label=${t('scrub')} aria-valuetext=${t('scrubText', { n: stopIndex.value + 1, m: stops.value.length, title: here?.title ?? '' })}
      @input=${(e: Event) => goto(Number((e.target as HTMLInputElement).value))}></div></div>`;
}

function mark(id: string, right: string | undefined): string {
  const given = answers.value[id];
  return given === undefined || given === '' ? 'open' : given === right ? 'good' : 'bad';
}
