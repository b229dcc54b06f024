// The line of column titles over the stage.
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../dom.ts';
import { plain } from '../fmt.ts';
import { t } from '../i18n.ts';
import { chosen, type Scene } from '../state.ts';
import { onlyClients, rivals, shownController } from './scene.ts';

export function titles(s: Scene): TemplateResult {
  const few = onlyClients(s);
  const b = shownController(s);
  const n = b === undefined ? 0 : Number(s.doc.get('view', 'mismatch', b) ?? 0);
  const zxid = s.doc.text('zxid');
  return html`<h2 class="t-zk">${t('zk')} <small>${t('truth')}</small>${zxid ? html`<span class="zxid">zxid ${plain(zxid)}</span>` : nothing}</h2>
    ${few ? nothing : html`<div class="t-sp ${n > 0 && !s.hidden ? 'bad' : ''}">${s.hidden ? '?' : n > 0 ? `≠ ${n}` : b !== undefined && s.doc.has('view', 'controller', b) ? '=' : ''}<span class="hidden">${n} ${t('differ')}</span></div>
    <h2 class="t-ctl">${t(rivals(s) ? 'twoControllers' : 'controller')} <small>${t('belief')}</small>${office(s, b)}</h2>
    ${rivals(s) ? nothing : html`<h2 class="t-req">${t('requests')}</h2>`}`}
    <h2 class="t-br">${t(few ? 'clients' : 'brokers')} <small>${t(few ? 'belief' : 'effect')}</small></h2>`;
}

/** Who is in office; with several who think so, a choice between them. */
function office(s: Scene, b: string | undefined): TemplateResult {
  const all = s.doc.names('view', 'controller');
  if (all.length > 1) {
    return html`<span class="office">${all.map((c) => html`<button class="${c === b ? 'on' : ''} ${s.doc.get('view', 'controller', c) === 'stale' ? 'stale' : ''}" aria-pressed=${c === b} title=${s.doc.get('view', 'controller', c) === 'stale' ? t('stale') : ''}
      @click=${() => { chosen.value = c; }}>${s.doc.get('view', 'controller', c) === 'stale' ? nothing : icon('crown')}${c} · ${s.doc.text('ctx', c, 'epoch')}</button>`)}</span>`;
  }
  const c = all[0];
  if (c === undefined) return html`<span class="office">${icon('crown', 'off')} ${t('nobody')}</span>`;
  const epoch = s.doc.get('ctx', c, 'epoch');
  const stale = s.doc.get('view', 'controller', c) === 'stale';
  return html`<span class="office ${stale ? 'stale' : ''}" title=${stale ? t('stale') : ''}>${icon('crown')} ${c}${epoch === undefined ? nothing : html` · ${t('epoch')} ${String(epoch)}`}</span>`;
}
