// The glossary: Play shows the stops of a figure one after the other, from a press and until the last one.
import { setUp } from '../common.ts';

const dwell = 1600;

function figure(root: HTMLElement): void {
  const panels = [...root.querySelectorAll<HTMLElement>('li')];
  const button = root.querySelector<HTMLButtonElement>('[data-do="play"]')!;
  const name = button.getAttribute('aria-label')!.slice(root.dataset.play!.length);
  let timer = 0;
  let at = -1;
  const show = (i: number): void => {
    at = i;
    panels.forEach((p, k) => p.classList.toggle('ahead', at >= 0 && k > at));
    panels.forEach((p, k) => p.classList.toggle('here', k === at));
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = 0;
    button.classList.remove('playing');
    button.setAttribute('aria-label', root.dataset.play + name);
  };
  const next = (): void => {
    if (at + 1 < panels.length) { show(at + 1); return; }
    stop();
    show(-1);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    if (timer) { stop(); return; }
    button.classList.add('playing');
    button.setAttribute('aria-label', root.dataset.pause + name);
    timer = window.setInterval(next, dwell);
    next();
  });
}

setUp();
for (const f of document.querySelectorAll<HTMLElement>('figure')) figure(f);
