// Session rings: each client's arc empties while it is silent.
import { html, svg, type TemplateResult } from 'lit-html';
import { plain, seconds } from '../fmt.ts';
import { t } from '../i18n.ts';
import type { Scene } from '../state.ts';
import { touched } from './scene.ts';

interface Ring { client: string; id: string; state: string; left: number; timeout: number; fresh: boolean; now: boolean }

function rings(s: Scene): Ring[] {
  const moved = new Set((s.step?.diff ?? []).filter((d) => d.path[0] === 'session').map((d) => d.path[1]!));
  const changed = touched(s, 'ring');
  return s.doc.names('view', 'ring').filter((c) => c !== 'admin').map((client) => {
    const id = s.doc.text('view', 'ring', client);
    const timeout = Number(s.doc.get('session', id, 'timeout') ?? 18000);
    const expires = s.doc.get('session', id, 'expires');
    const left = expires === undefined ? timeout : Math.max(0, Number(expires) - s.rec.timeAt(s.at));
    const earlier = s.doc.names('session').some((x) => x !== id && s.doc.text('session', x, 'client') === client);
    return { client, id, state: s.doc.text('session', id, 'state'), left, timeout, fresh: earlier && s.doc.text('session', id, 'state') === 'connected', now: moved.has(id) || changed.has(client) };
  });
}

export function sessions(s: Scene): TemplateResult {
  const all = rings(s);
  const timeout = all[0]?.timeout;
  const title = html`<div class="meta">${t('sessions')}${timeout ? html` · ${t('timeout', { s: timeout / 1000 })}` : ''}</div>`;
  if (all.length > 5) {
    return html`<section class="sessions" aria-label=${t('sessions')}>${title}<p class="many">${t('sessionsMany', { n: all.length, lost: all.filter((r) => r.state !== 'connected').length })}</p></section>`;
  }
  return html`<section class="sessions" aria-label=${t('sessions')}>${title}<ul class="rings n${Math.max(3, all.length)}">${all.map(ring)}</ul></section>`;
}

const round = 2 * Math.PI * 18.5;

function ring(r: Ring): TemplateResult {
  const alive = r.state === 'connected' || r.state === 'cut';
  const part = alive ? r.left / r.timeout : 0;
  const word = r.state === 'expired' ? t('expired') : r.state === 'closed' ? t('closed') : seconds(r.left, 1) + ' s';
  return html`<li data-client=${r.client} class="ring ${r.now ? 'now' : ''} ${alive ? '' : 'lost'} ${r.state}">
    <svg viewBox="0 0 44 44" aria-hidden="true"><circle cx="22" cy="22" r="18.5" class="track"/>${part > 0 ? svg`<circle cx="22" cy="22" r="18.5" class="arc" stroke-dasharray="${(part * round).toFixed(1)} ${round.toFixed(1)}" transform="rotate(-90 22 22)"/>` : ''}<text x="22" y="26.5" text-anchor="middle">${r.client}</text></svg>
    <span>${word}</span><code>${plain(r.id)}${r.fresh ? ' ' + t('new') : ''}</code></li>`;
}
