// The home page: the figure that plays two futures, and the card that leads back to the lesson one left.
import { setUp } from '../common.ts';
import { fill, part, still } from '../page.ts';
import { places } from '../progress.ts';

interface Side { zk: string; ctl: string; broker: string; does: string }
interface Frame { ms: number; with: Side; without: Side }

const seconds = 12;

function show(root: HTMLElement, s: Side, words: Record<string, string>): void {
  part(root, 'zk').textContent = s.zk;
  part(root, 'ctl').textContent = s.ctl;
  part(root, 'broker').textContent = s.broker;
  part(root, 'does').textContent = words[s.does] ?? s.does;
  part(root, 'box').className = 'hbox does ' + s.does;
  part(root, 'same').className = s.zk === s.ctl ? 'eq' : 'ne';
  part(root, 'true').className = s.does === 'leader' ? 'eq good' : 'ne';
}

/** Plays the figure round and round from a press on Play; it begins at its end, which is what the page shows. */
function figure(root: HTMLElement): void {
  const frames = JSON.parse(root.dataset.frames!) as Frame[];
  const words = Object.fromEntries(root.dataset.words!.split('|').map((w) => w.split('=') as [string, string]));
  const button = root.querySelector<HTMLButtonElement>('[data-do="play"]')!;
  const bar = root.querySelector<HTMLElement>('.track span')!;
  const sides = { with: root.querySelector<HTMLElement>('[data-side="with"]')!, without: root.querySelector<HTMLElement>('[data-side="without"]')! };
  let at = seconds;
  let shown = -1;
  let last = 0;
  let playing = false;
  const draw = (): void => {
    const i = Math.min(frames.length - 1, Math.floor((at / seconds) * frames.length));
    const to = still() ? ((i + 1) / frames.length) * seconds : at;
    part(root, 'at').textContent = to.toFixed(1);
    bar.style.setProperty('--at', String(to / seconds));
    if (i === shown) return;
    shown = i;
    show(sides.with, frames[i]!.with, words);
    show(sides.without, frames[i]!.without, words);
  };
  const tick = (now: number): void => {
    if (!playing) return;
    at = (at + Math.min(100, now - last) / 1000) % seconds;
    last = now;
    draw();
    requestAnimationFrame(tick);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    playing = !playing;
    button.classList.toggle('playing', playing);
    button.setAttribute('aria-label', (playing ? button.dataset.pause : button.dataset.play)!);
    if (!playing) return;
    if (at >= seconds) at = 0;
    last = performance.now();
    requestAnimationFrame(tick);
  });
}

function resume(card: HTMLAnchorElement): void {
  const titles = JSON.parse(card.dataset.titles!) as Record<string, { title: string; stops: number }>;
  const { last, at } = places();
  const lesson = titles[last];
  const place = at[last];
  if (!lesson || !place) return;
  card.hidden = false;
  card.href = `lessons/${last}/#s=${Math.max(1, Math.min(place.n, lesson.stops))}`;
  part(card, 'title').textContent = lesson.title;
  part(card, 'text').textContent = fill(card.dataset.text!, { n: place.n, of: lesson.stops, right: place.right, wrong: place.wrong });
  card.querySelector<SVGElement>('.done')!.style.setProperty('--at', String(place.n / lesson.stops));
}

setUp();
figure(document.querySelector('.figure')!);
resume(document.querySelector('.continue')!);
