// The score: four lines of time and the scrubber on top. A dot is a step; in long recordings it is a stop, and the line
// between two stops shows the steps that lie there.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { seconds } from '../fmt.ts';
import type { Step } from '../gen/trace.ts';
import { t } from '../i18n.ts';
import { isRight, type Stop } from '../lesson.ts';
import type { Recording } from '../record.ts';
import { onlyClients } from './scene.ts';
import { answers, fork, goto, gotoStop, lit, lesson, origin, pointed, recordings, run, type Scene, spacetime, stopIndex, stops } from '../state.ts';

const width = 1200;
const most = 240;

/** The line a step stands on: by its kind, the four columns of the stage; of clients alone, the outer two. */
function lineOf(s: Step, few: boolean): number {
  const family = s.kind.split('.')[0];
  if (family === 'zk' || family === 'watch' || family === 'session') return 0;
  if (few) return 3;
  if (family === 'req' || family === 'resp') return 2;
  if (family === 'event' || family === 'ctx' || family === 'sm' || s.lane.endsWith('.controller')) return 1;
  return 3;
}

/** A point of the drawn line; places that one can go to have a dot. */
interface Point { at: number; line: number; dot: boolean }
/** The axis: its places are 0 to n-1; the cursor may stand between two of them. */
interface Axis { n: number; points: Point[]; cursor: number; begin: number; marks: { at: number; stop: Stop; act: boolean }[]; seek(i: number): void; step(i: number): number }

function bySteps(s: Scene): Axis {
  const from = Math.max(0, origin.value);
  const n = s.rec.length - from;
  const own = stops.value.filter((p) => p.run === run.value);
  const here = own.findLastIndex((p) => p.at <= s.at);
  return { n, points: Array.from({ length: n }, (_, i) => ({ at: i, line: lineOf(s.rec.step(from + i)!, onlyClients(s)), dot: true })), cursor: s.at - from,
    begin: here > 0 ? own[here - 1]!.at - from : -1, marks: own.map((stop, i) => ({ at: stop.at - from, stop, act: i > 0 && own[i - 1]!.act !== stop.act })), seek: (i) => goto(from + i), step: (i) => from + i };
}

/** The recording that a stop lies in. */
function recOf(s: Scene, p: Stop): Recording | undefined { return fork.value ? s.rec : recordings.value[p.run]; }

/** A dot per stop, and between two stops the line of the steps that lie there, thinned out in long recordings. */
function byStops(s: Scene): Axis {
  const all = stops.value;
  const steps = all.reduce((sum, p, i) => sum + (i > 0 && all[i - 1]!.run === p.run ? p.at - all[i - 1]!.at : 0), 0);
  const every = Math.ceil(Math.max(steps, all.length) / (2 * most));
  const points: Point[] = [];
  const skip = Math.ceil(all.length / (2 * most));
  all.forEach((p, i) => {
    const r = recOf(s, p);
    const q = all[i + 1];
    const step = r?.step(p.at);
    if (i % skip === 0 || i === all.length - 1) points.push({ at: i, line: step ? lineOf(step, onlyClients(s)) : 1, dot: true });
    if (!r || !q || q.run !== p.run) return;
    for (let k = p.at + every; k < q.at; k += every) points.push({ at: i + (k - p.at) / (q.at - p.at), line: lineOf(r.step(k)!, onlyClients(s)), dot: false });
  });
  const here = stopIndex.value;
  const [stop, next] = [all[here], all[here + 1]];
  const within = stop && next && stop.run === run.value && next.run === run.value && s.at > stop.at ? Math.min(0.99, (s.at - stop.at) / (next.at - stop.at)) : 0;
  return { n: all.length, points, cursor: here + within, begin: within > 0 ? here : here - 1,
    marks: all.map((at, i) => ({ at: i, stop: at, act: i > 0 && all[i - 1]!.act !== at.act })).filter((m, i) => m.stop.ask || m.act || i % skip === 0), seek: gotoStop, step: (i) => (all[i]?.run === run.value ? all[i]!.at : -1) };
}

export function score(s: Scene): TemplateResult {
  const a = s.rec.length - Math.max(0, origin.value) <= most && stops.value.every((p) => p.run === run.value) ? bySteps(s) : byStops(s);
  const few = onlyClients(s);
  const at = Math.max(0, a.cursor);
  const x = (i: number): number => (a.n < 2 ? 0.5 : 0.006 + (i / (a.n - 1)) * 0.988);
  const pc = (i: number): string => (x(i) * 100).toFixed(2) + '%';
  const y = (line: number): number => 9 + 13 * line;
  const cut = a.points.findLast((p) => p.at <= at)?.at ?? 0;
  const part = (lo: number, hi: number): string => a.points.filter((p) => p.at >= lo && p.at <= hi).map((p) => `${(x(p.at) * width).toFixed(1)},${y(p.line)}`).join(' ');
  const here = s.step ? y(lineOf(s.step, few)) : y(1);
  const title = s.hidden ? '···' : stops.value[stopIndex.value]?.title ?? '';
  return html`<section class="score" aria-label=${t('scrub')}><div class="when"><b>${t('time', { s: seconds(s.rec.timeAt(s.at)) })}</b><br>${t('stepOf', { n: s.at, m: s.rec.length - 1 })}${lesson.value ? html`<br><button class="link" @click=${() => { spacetime.value = !spacetime.value; }}>${t('spacetime')}</button>` : nothing}</div>
    <div class="names" aria-hidden="true"><span>${t('zk')}</span><span>${few ? '' : t('controller')}</span><span>${few ? '' : t('requests')}</span><span>${t(few ? 'clients' : 'brokers')}</span></div>
    <div class="track"><svg viewBox="0 0 ${width} 64" preserveAspectRatio="none" aria-hidden="true">
      ${(few ? [0, 3] : [0, 1, 2, 3]).map((k) => svg`<path d="M0 ${9 + 13 * k}H${width}" class="line"/>`)}
      <polyline points=${part(0, cut)} class="past"/><polyline points=${part(cut, a.n)} class="ahead"/><polyline points=${part(a.begin, cut)} class="now"/>
      ${a.marks.filter((m) => m.act).map((m) => svg`<path d="M${x(m.at) * width - 2} 0V64" class="act"/>`)}</svg>
    <svg class="marks" width="100%" height="64" aria-hidden="true">${a.points.filter((p) => p.dot).map((p) => svg`<circle cx=${pc(p.at)} cy=${y(p.line)} r="2" class="${p.at > a.cursor ? 'ahead' : p.at > a.begin ? 'now' : 'past'} ${lit.value.has(a.step(p.at)) ? 'lit' : ''}"/>`)}
      ${a.marks.map((m) => (m.stop.ask ? svg`<text x=${pc(m.at)} y="61" text-anchor="middle" class="q ${mark(m.stop)}">${mark(m.stop) === 'good' ? '◆' : '◇'}</text>` : svg`<line x1=${pc(m.at)} x2=${pc(m.at)} y1="54" y2="61" class="tick"/>`))}
      ${a.cursor >= 0 ? svg`<line x1=${pc(at)} x2=${pc(at)} y1="0" y2="64" class="cursor"/><circle cx=${pc(at)} cy=${here} r="4.5" class="cursor"/>` : nothing}</svg>
    <input type="range" min="0" max=${Math.max(1, a.n - 1)} .value=${String(Math.floor(at))} aria-label=${t('scrub')} aria-valuetext=${t('scrubText', { n: stopIndex.value + 1, m: stops.value.length, title })}
      @pointermove=${(e: PointerEvent) => point(e, a)} @pointerleave=${() => { pointed.value = -1; }} @input=${(e: Event) => a.seek(Number((e.target as HTMLInputElement).value))}></div></section>`;
}

/** Tells which step the pointer is on, for the code beside. */
function point(e: PointerEvent, a: Axis): void {
  const box = (e.currentTarget as HTMLElement).getBoundingClientRect();
  pointed.value = a.step(Math.round((((e.clientX - box.left) / box.width - 0.006) / 0.988) * (a.n - 1)));
}

/** ◆ right, ◇ wrong or open. */
function mark(p: Stop): string {
  const given = answers.value[p.id];
  return given === undefined || given === '' ? 'open' : p.ask && isRight(p.ask, given) ? 'good' : 'bad';
}
