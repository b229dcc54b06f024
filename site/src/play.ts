// Play: from stop to stop, staying as long as the sentence takes to read; it halts at a question and at the end.
import { lang } from './i18n.ts';
import { asked, at, level, move, playing, rec, rest, scene, speed, stopIndex, stops } from './state.ts';

export const speeds = [0.5, 1, 2, 4];

/** The next speed in a direction. */
function paced(by: 1 | -1): void { speed.value = speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(speed.value) + by))]!; }
export function slower(): void { paced(-1); }
export function faster(): void { paced(1); }

let timer = 0;

function dwell(): number {
  if (level.value === 'micro') return 500 / speed.value;
  const stop = scene.value?.stop;
  const text = (stop?.headline.length ?? 0) + (stop?.sentence.length ?? 0);
  return Math.max(1200, (lang === 'zh' ? 110 : 55) * text) / speed.value;
}

export function halt(): void {
  clearTimeout(timer);
  playing.value = false;
}

function atEnd(): boolean {
  const last = stops.value.length - 1;
  return stopIndex.value >= last && (level.value !== 'micro' || at.value >= (rec.value?.length ?? 1) - 1);
}

function tick(): void {
  if (!playing.value) return;
  if (asked.value || atEnd()) { halt(); return; }
  move(1);
  if (asked.value || atEnd()) { halt(); return; }
  timer = window.setTimeout(settle, 50);
}

/** Stays once what moves has arrived. */
function settle(): void {
  timer = window.setTimeout(tick, Math.max(0, rest.until - performance.now()) + dwell());
}

export function togglePlay(): void {
  if (playing.value) { halt(); return; }
  playing.value = true;
  clearTimeout(timer);
  tick();
}
