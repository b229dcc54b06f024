// What every page with a stage has: room is measured, the views are drawn at most once a frame, the live region speaks.
import { render, type TemplateResult } from 'lit-html';
import { effect, signal } from '@preact/signals-core';
import { onDrawn, size } from './dom.ts';
import { fetchRest } from './lazy.ts';
import { narration } from './parts/caption.ts';
import { scene } from './state.ts';

export const root = document.getElementById('app')!;

/** Measures what the pictures have room for. What a picture takes of it follows from the step alone, never from the last one. */
function measure(): void {
  const stage = root.querySelector('.stage');
  const caption = stage?.querySelector<HTMLElement>('.caption');
  const next = { width: innerWidth, stage: stage ? stage.clientHeight - (caption?.offsetHeight ?? 0) : size.value.stage };
  if (next.width !== size.value.width || next.stage !== size.value.stage) size.value = next;
}

const watcher = new ResizeObserver(measure);
const watched = new WeakSet<Element>();

/** Watches the boxes that measure reads, as soon as they are drawn. */
function watch(): void {
  for (const box of [root, ...root.querySelectorAll('.stage')]) {
    if (watched.has(box)) continue;
    watched.add(box);
    watcher.observe(box);
  }
}

export async function text(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`);
  return answer.text();
}

/** Whether a step has been on the screen: before, only the stage is drawn, and nothing is fetched that it does not need. */
export const painted = signal(false);

let afterPaint: () => void;
/** Kept when a step has been on the screen. */
export const firstPainted = new Promise<void>((ok) => { afterPaint = ok; });

/** Does something now, and calls `again` once, when the first of what it read has changed. */
function follow<T>(what: () => T, again: () => void): { value: T; stop: () => void } {
  let value: T | undefined;
  let done = false;
  const stop = effect(() => {
    if (done) { again(); return; }
    value = what();
    done = true;
  });
  return { value: value as T, stop };
}

/** Draws at most once per frame, and works out what to draw only then; data-drawn marks a page that is there with all its parts. */
export function draw(drawn: () => TemplateResult, complete = (): boolean => true): void {
  let shown: Element | null = null;
  let stepped = false;
  let stop = (): void => undefined;
  const ask = (): void => { requestAnimationFrame(next); };
  const next = (): void => {
    stop();
    const now = follow(() => ({ view: drawn(), whole: painted.value && complete() }), ask);
    stop = now.stop;
    const { view, whole } = now.value;
    render(view, root);
    watch();
    onDrawn.forEach((f) => f());
    if (!stepped && scene.value) {
      stepped = true;
      setTimeout(() => { painted.value = true; fetchRest(); afterPaint(); }); // a task of its own comes after the frame is painted
    }
    if (whole) root.dataset.drawn = '';
    const here = root.querySelector('.rail .here');
    if (here !== shown) here?.scrollIntoView({ block: 'nearest' });
    shown = here;
  };
  ask();
}

/** The live region speaks when the cursor has rested: silent while playing fast or scrubbing. */
export function speak(): void {
  const region = document.getElementById('live')!;
  let timer = 0;
  effect(() => {
    const words = narration(scene.value);
    clearTimeout(timer);
    timer = window.setTimeout(() => { region.textContent = words; }, 400);
  });
}

