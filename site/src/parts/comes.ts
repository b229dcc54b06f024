// The core on its way, or not to be had: what is said of it wherever a page needs it.
import { html, type TemplateResult } from 'lit-html';
import * as core from '../core.ts';
import { t } from '../i18n.ts';

/** While the core is on its way. Nobody knows how far it is, so the bar only says that it moves. */
export function coming(words: string): TemplateResult {
  return html`<p class="hint">${words}</p><progress class="coming" aria-label=${words}></progress>`;
}

/** A core that could not start: why, another try, and what a report of it needs. */
export function failed(words: string, why: string): TemplateResult {
  const report = [`core: ${why}`, navigator.userAgent, `WebAssembly: ${typeof WebAssembly}`, `Worker: ${typeof Worker}`, location.pathname].join('\n');
  return html`<p class="err" role="alert">${words}</p><p class="row2"><button class="box" @click=${core.restart}>${t('retry')}</button><button class="box" @click=${() => void navigator.clipboard?.writeText(report)}>${t('copyReport')}</button></p>`;
}
