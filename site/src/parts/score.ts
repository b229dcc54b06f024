// The score: four lines of time and the scrubber on top. A dot is a step; in long recordings it is a stop.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { seconds } from '../fmt.ts';
import type { Step } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import type { Stop } from '../lesson.ts';
import { answers, fork, goto, gotoStop, origin, recordings, run, type Scene, stopIndex, stops } from '../state.ts';

const width = 1200;
const most = 240;

/** The line a step stands on: by its kind, the four columns of the stage. */
function lineOf(s: Step): number {
  const family = s.kind.split('.')[0];
  if (family === 'zk' || family === 'watch' || family === 'session') return 0;
  if (family === 'req' || family === 'resp') return 2;
  if (family === 'event' || family === 'ctx' || family === 'sm' || s.lane.endsWith('.controller')) return 1;
  return 3;
}

/** The axis: places in their order, where the cursor is among them, and what a place means. */
interface Axis { lines: number[]; cursor: number; begin: number; marks: { at: number; stop: Stop; act: boolean }[]; seek(i: number): void }

function bySteps(s: Scene): Axis {
  const from = Math.max(0, origin.value);
  const own = stops.value.filter((p) => p.run === run.value);
  const here = own.findLastIndex((p) => p.at <= s.at);
  return { lines: Array.from({ length: s.rec.length - from }, (_, i) => lineOf(s.rec.step(from + i)!)), cursor: s.at - from,
    begin: here > 0 ? own[here - 1]!.at - from : -1, marks: own.map((stop, i) => ({ at: stop.at - from, stop, act: i > 0 && own[i - 1]!.act !== stop.act })), seek: (i) => goto(from + i) };
}

function byStops(s: Scene): Axis {
  const all = stops.value;
  const step = (p: Stop): Step | undefined => (fork.value ? s.rec : recordings.value[p.run])?.step(p.at);
  const here = stopIndex.value;
  return { lines: all.map((p) => { const x = step(p); return x ? lineOf(x) : 1; }), cursor: here, begin: here - 1,
    marks: all.map((stop, i) => ({ at: i, stop, act: i > 0 && all[i - 1]!.act !== stop.act })), seek: gotoStop };
}

export function score(s: Scene): TemplateResult {
  const a = s.rec.length - Math.max(0, origin.value) <= most && stops.value.every((p) => p.run === run.value) ? bySteps(s) : byStops(s);
  const n = a.lines.length;
  const x = (i: number): number => (n < 2 ? 0.5 : 0.006 + (i / (n - 1)) * 0.988);
  const pc = (i: number): string => (x(i) * 100).toFixed(2) + '%';
  const y = (i: number): number => 9 + 13 * (a.lines[i] ?? 1);
  const part = (lo: number, hi: number): string => a.lines.map((_, i) => i).filter((i) => i >= lo && i <= hi).map((i) => `${(x(i) * width).toFixed(1)},${y(i)}`).join(' ');
  const at = Math.max(0, a.cursor);
  const title = stops.value[stopIndex.value]?.title ?? '';
  return html`<section class="score" aria-label=${t('scrub')}><div class="when"><b>${t('time', { s: seconds(s.rec.timeAt(s.at)) })}</b><br>${t('stepOf', { n: s.at, m: s.rec.length - 1 })}</div>
    <div class="names" aria-hidden="true"><span>${t('zk')}</span><span>${t('controller')}</span><span>${t('requests')}</span><span>${t('brokers')}</span></div>
    <div class="track"><svg viewBox="0 0 ${width} 64" preserveAspectRatio="none" aria-hidden="true">
      ${[0, 1, 2, 3].map((k) => svg`<path d="M0 ${9 + 13 * k}H${width}" class="line"/>`)}
      <polyline points=${part(0, at)} class="past"/><polyline points=${part(at, n)} class="ahead"/><polyline points=${part(a.begin, at)} class="now"/>
      ${a.marks.filter((m) => m.act).map((m) => svg`<path d="M${x(m.at) * width - 2} 0V64" class="act"/>`)}</svg>
    <svg class="marks" width="100%" height="64" aria-hidden="true">${a.lines.map((_, i) => svg`<circle cx=${pc(i)} cy=${y(i)} r="2" class=${i > a.cursor ? 'ahead' : i > a.begin ? 'now' : 'past'}/>`)}
      ${a.marks.map((m) => (m.stop.ask ? svg`<text x=${pc(m.at)} y="61" text-anchor="middle" class="q ${mark(m.stop)}">${mark(m.stop) === 'good' ? '◆' : '◇'}</text>` : svg`<line x1=${pc(m.at)} x2=${pc(m.at)} y1="54" y2="61" class="tick"/>`))}
      ${a.cursor >= 0 ? svg`<line x1=${pc(at)} x2=${pc(at)} y1="0" y2="64" class="cursor"/><circle cx=${pc(at)} cy=${y(at)} r="4.5" class="cursor"/>` : nothing}</svg>
    <input type="range" min="0" max=${Math.max(1, n - 1)} .value=${String(at)} aria-label=${t('scrub')} aria-valuetext=${t('scrubText', { n: stopIndex.value + 1, m: stops.value.length, title })}
      @input=${(e: Event) => a.seek(Number((e.target as HTMLInputElement).value))}></div></section>`;
}

/** ◆ right, ◇ wrong or open. */
function mark(p: Stop): string {
  const given = answers.value[p.id];
  return given === undefined || given === '' ? 'open' : p.ask?.choices.some((c) => c.right && c.id === given) ? 'good' : 'bad';
}
