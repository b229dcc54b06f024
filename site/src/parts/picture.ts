// A picture of the stage: what is drawn there, inside an SVG; painted on a canvas it is a PNG.
import { save, saveBytes } from '../save.ts';

const xhtml = 'http://www.w3.org/1999/xhtml';
const svgns = 'http://www.w3.org/2000/svg';

/** The rules that hold now, without those that wait for another window: inside the picture the window is the picture. */
function rules(list: CSSRuleList): string {
  let out = '';
  for (const r of list) {
    if (r instanceof CSSMediaRule) out += matchMedia(r.media.mediaText).matches ? rules(r.cssRules) : '';
    else if (r instanceof CSSImportRule) out += r.styleSheet ? rules(r.styleSheet.cssRules) : '';
    else if (!(r instanceof CSSKeyframesRule)) out += r.cssText + '\n';
  }
  return out;
}

/** Sizes, colours and the state of the page that styles depend on stand at the picture's root. */
function drawing(stage: HTMLElement): { text: string; width: number; height: number } {
  const width = stage.clientWidth;
  const height = Math.max(stage.clientHeight, stage.scrollHeight);
  const root = document.createElementNS(svgns, 'svg');
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height));
  root.setAttribute('viewBox', `0 0 ${width} ${height}`);
  root.setAttribute('lang', document.documentElement.lang);
  root.dataset.theme = document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const style = document.createElementNS(svgns, 'style');
  for (const sheet of document.styleSheets) style.textContent += rules(sheet.cssRules);
  const frame = document.createElementNS(svgns, 'foreignObject');
  frame.setAttribute('width', '100%');
  frame.setAttribute('height', '100%');
  const body = document.createElementNS(xhtml, 'body') as HTMLElement;
  // A rule's text loses a shorthand with var() that a later property of the same rule overrides, as the body's font does.
  const { fontFamily, fontSize, lineHeight } = getComputedStyle(document.body);
  Object.assign(body.style, { fontFamily, fontSize, lineHeight });
  const app = document.createElementNS(xhtml, 'div');
  app.id = 'app';
  const copy = stage.cloneNode(true) as HTMLElement;
  copy.style.width = `${width}px`;
  copy.style.height = `${height}px`;
  copy.querySelectorAll('.hidden').forEach((e) => e.remove());
  app.append(copy);
  body.append(app);
  frame.append(body);
  root.append(style, frame);
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

/** The stage as an SVG file. */
export function saveSVG(stage: HTMLElement, name: string): void { save(name + '.svg', drawing(stage).text); }

/** The stage as a PNG file, two dots for each pixel. false where the browser paints no such picture: then it is an SVG file. */
export async function savePNG(stage: HTMLElement, name: string): Promise<boolean> {
  const { text, width, height } = drawing(stage);
  try {
    const image = new Image();
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * 2;
    canvas.height = height * 2;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((ok) => { canvas.toBlob(ok, 'image/png'); });
    if (!blob) throw new Error('no picture');
    saveBytes(name + '.png', blob);
    return true;
  } catch {
    save(name + '.svg', text);
    return false;
  }
}
