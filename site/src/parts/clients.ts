// Plain clients of ZooKeeper, where a world has them: what each knows, and how often it was told that something changed.
import { html, nothing, type TemplateResult } from 'lit-html';
import { t } from '../i18n.ts';
import type { Scene } from '../state.ts';

/** The open clients, by name. */
export function clientsOf(s: Scene): string[] { return s.doc.names('client'); }

export function clientCard(s: Scene, name: string): TemplateResult {
  const silent = s.doc.get('hold', name) === true;
  const handled = s.doc.names('handler', name).map((h) => h.slice(h.indexOf(':') + 1));
  const paths = [...new Set([...handled, ...s.doc.names('client', name, 'sees'), ...s.doc.names('client', name, 'heard')])].sort();
  const fresh = new Set((s.step?.diff ?? []).filter((d) => d.path[0] === 'client' && d.path[1] === name).map((d) => d.path[3]));
  return html`<article class="card client ${fresh.size > 0 && !s.hidden ? 'changed' : ''}" aria-label=${t('client', { c: name })}>
    <header><h3>${t('client', { c: name })}</h3>${silent ? html`<span class="state">${t('cut')}</span>` : nothing}</header>
    <ul>${paths.map((p) => html`<li class=${fresh.has(p) && !s.hidden ? 'now' : ''}><code>${p}</code> <span>${known(s, name, p)}</span></li>`)}</ul></article>`;
}

/** What a client knows of a znode, and how often it was told of it. */
function known(s: Scene, name: string, path: string): string {
  if (s.hidden) return '?';
  const children = s.doc.get('client', name, 'sees', path, 'children');
  const data = s.doc.get('client', name, 'sees', path, 'data');
  const exists = s.doc.get('client', name, 'sees', path, 'exists');
  const heard = Number(s.doc.get('client', name, 'heard', path) ?? 0);
  const sight = Array.isArray(children) ? `{${children.join(',')}}` : data !== undefined ? String(data) : exists === undefined ? t('neverRead') : exists === true ? t('isThere') : t('isNotThere');
  return heard > 0 ? `${sight} · ${t('told', { n: heard })}` : sight;
}
