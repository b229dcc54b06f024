// Watch lines: from a bell to who waits for it. Only for the znode of this step and the one that has the focus: all of them
// at once would be noise. Which watches there are the document says; the bell's label and the Node pane say it in words.
import { narrow, onDrawn } from '../dom.ts';
import { rest, scene, type Scene } from '../state.ts';
import { type Box, boxOf, find } from './places.ts';

const ns = 'http://www.w3.org/2000/svg';
/** As many lines as one znode shows. */
const most = 5;

interface Line { path: string; client: string; fired: boolean }

function watchers(s: Scene, path: string): Line[] {
  const sessions = s.doc.names('watch', path).flatMap((kind) => s.doc.names('watch', path, kind));
  return [...new Set(sessions.map((id) => s.doc.text('session', id, 'client')))].map((client) => ({ path, client, fired: false }));
}

function wanted(s: Scene): Line[] {
  const focus = document.activeElement?.closest<HTMLElement>('.row[data-path]')?.dataset.path;
  const out = focus === undefined ? [] : watchers(s, focus);
  const args = s.step?.msg?.args;
  const own = { path: String(args?.path ?? s.step?.entity ?? ''), client: String(args?.client ?? '') };
  if (s.step?.kind === 'watch.arm') out.unshift({ ...own, fired: false });
  // A fired line is gone when what it carried has arrived.
  if (s.step?.kind === 'watch.fire' && rest.until > performance.now()) out.unshift({ ...own, fired: true });
  return out.slice(0, most);
}

function curve(a: Box, b: Box): string {
  const [x1, y1] = [a.x + a.w / 2, a.y + a.h / 2];
  const [x2, y2] = [Math.max(b.x, Math.min(x1, b.x + b.w)), b.y > y1 ? b.y : Math.min(b.y + b.h, Math.max(y1, b.y))];
  return `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}`;
}

/** Draws the lines into the layer of what moves, and again whenever page, focus or window change. */
export function begin(layer: HTMLElement): void {
  const canvas = document.createElementNS(ns, 'svg');
  canvas.setAttribute('class', 'watchlines');
  canvas.setAttribute('aria-hidden', 'true');
  layer.before(canvas);
  let timer = 0;
  const draw = (): void => {
    clearTimeout(timer);
    const s = scene.value;
    const lines = !s || s.hidden || narrow() ? [] : wanted(s);
    canvas.replaceChildren(...lines.flatMap((l) => {
      const [bell, mind] = [boxOf(find(['bell', l.path])), boxOf(find(['mind', l.client]))];
      if (!bell || !mind) return [];
      const path = document.createElementNS(ns, 'path');
      path.setAttribute('d', curve(bell, mind));
      path.setAttribute('class', l.fired ? 'fired' : 'armed');
      return [path];
    }));
    if (lines.some((l) => l.fired)) timer = window.setTimeout(draw, rest.until - performance.now() + 20);
  };
  onDrawn.push(draw);
  for (const change of ['focusin', 'focusout', 'resize', 'scroll'] as const) addEventListener(change, () => requestAnimationFrame(draw), { capture: true, passive: true });
}
