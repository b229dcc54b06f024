// The dialog of Share: links and files of what is shown. It is a dialog of the browser's own: focus goes in and comes back.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { t } from '../i18n.ts';
import { save } from '../save.ts';
import { at, openAsk, origin, rec, scene } from '../state.ts';
import { markdown } from '../viewer/markdown.ts';
import { savePNG, saveSVG } from './picture.ts';

/** A text that can be copied, such as a link. */
export interface Copy { label: string; text: () => string | Promise<string> }

const box = document.createElement('dialog');
box.className = 'share';
box.setAttribute('aria-labelledby', 'share-title');
// Keys inside the dialog are the dialog's.
box.addEventListener('keydown', (e) => e.stopPropagation());
box.addEventListener('click', (e) => { if (e.target === box) box.close(); });
box.addEventListener('close', () => { box.remove(); });

/** What the last press came to, and the text when it could not be copied. */
let said = '';
let byHand = '';

async function copy(c: Copy, again: () => void): Promise<void> {
  const text = await c.text();
  [said, byHand] = [t('copied'), ''];
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    [said, byHand] = [t('shareByHand'), text];
  }
  again();
}

/** The steps up to the end; while a question is open only those that have been seen. */
function steps(): string {
  const r = rec.value!;
  const end = openAsk.value >= 0 ? at.value + 1 : r.length;
  return markdown(document.title, r.trace.hash, r.trace.steps.slice(Math.max(0, origin.value), end));
}

/** What a page adds: files of its own, and a sentence to begin with. */
export interface More { say?: string; files?: [label: string, go: () => void][] }

function content(name: string, copies: Copy[], more: More): TemplateResult {
  const again = (): void => { render(content(name, copies, more), box); };
  const stage = document.querySelector<HTMLElement>('#stage')!;
  const files: [string, () => void][] = [
    [t('sharePNG'), () => { void savePNG(stage, name).then((ok) => { [said, byHand] = [t(ok ? 'shareSaved' : 'shareAsSVG'), '']; again(); }); }],
    [t('shareSVG'), () => { saveSVG(stage, name); }],
    [t('shareSteps'), () => { save(name + '.md', steps()); }],
    [t('shareTrace'), () => { save(name + '.trace.json', JSON.stringify(rec.value!.trace)); }],
    ...more.files ?? [],
  ];
  return html`<h2 id="share-title">${t('share')} · ${t('stepN', { n: at.value })} <button class="plain" aria-label=${t('close')} @click=${() => { box.close(); }}>✕</button></h2>
    <p class="row2">${copies.map((c, i) => html`<button class=${i === 0 ? 'primary' : 'box'} ?autofocus=${i === 0} @click=${() => void copy(c, again)}>${c.label}</button>`)}</p>
    <h3>${t('shareFiles')}</h3><p class="row2">${files.map(([label, go]) => html`<button class="box" @click=${go}>${label}</button>`)}</p>
    <p class="hint" role="status">${said}</p>${byHand ? html`<textarea readonly rows="3" aria-label=${t('share')} .value=${byHand}></textarea>` : nothing}`;
}

/** Opens the dialog for files called name. */
export function open(name: string, copies: Copy[], more: More = {}): void {
  if (!scene.value || box.open) return;
  [said, byHand] = [more.say ?? '', ''];
  render(content(name, copies, more), box);
  document.body.append(box);
  box.showModal();
}
