// The command bar: one line of the script language, with completion and the lines that were done before.
import { html, nothing, type TemplateResult } from 'lit-html';
import { signal } from '@preact/signals-core';
import { act, actAll, acting, complete, lines } from './world.ts';
import { w } from './words.ts';

const text = signal('');
const offers = signal<string[]>([]);
let back = 0;

function type(line: string): void {
  text.value = line;
  if (line === '') { offers.value = []; return; }
  void complete(line).then((words) => { if (text.value === line) offers.value = words.slice(0, 8); });
}

/** The line with its last word completed. */
function taken(word: string): string { return text.value.slice(0, text.value.lastIndexOf(' ') + 1) + word + ' '; }

function submit(e: Event): void {
  e.preventDefault();
  const line = text.value;
  back = 0;
  void act(line).then((ok) => { if (ok) type(''); });
}

function keys(e: KeyboardEvent): void {
  const input = e.target as HTMLInputElement;
  if (e.key === 'Tab' && !e.shiftKey && offers.value.length > 0) type(taken(offers.value[0]!));
  else if (e.key === 'ArrowUp' && back < lines.length) type(lines[lines.length - ++back]!);
  else if (e.key === 'ArrowDown' && back > 0) type(--back === 0 ? '' : lines[lines.length - back]!);
  else if (e.key === 'Escape') { offers.value = []; input.blur(); return; }
  else return;
  e.preventDefault();
}

/** A script that is pasted is done line by line. */
function paste(e: ClipboardEvent): void {
  const given = e.clipboardData?.getData('text') ?? '';
  if (!given.trim().includes('\n')) return;
  e.preventDefault();
  void actAll(given);
}

export function focusBar(): void { document.querySelector<HTMLInputElement>('.command input')?.focus(); }

export function commandBar(): TemplateResult {
  return html`<form class="command" aria-label=${w('command')} @submit=${submit}><label><span aria-hidden="true">›</span><span class="hidden">${w('command')}</span>
    <input autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${w('commandHint')} aria-describedby="offers" .value=${text.value} ?readonly=${acting.value}
      @input=${(e: Event) => type((e.target as HTMLInputElement).value)} @keydown=${keys} @paste=${paste}></label>
    <div id="offers" aria-live="off">${offers.value.map((o) => html`<button type="button" class="box" @click=${() => { type(taken(o)); focusBar(); }}>${o}</button>`)}${offers.value.length ? html`<kbd>Tab</kbd>` : nothing}</div></form>`;
}
