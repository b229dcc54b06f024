// The stage: caption, columns, charts; on a phone one zone at a time.
import { html, nothing, type TemplateResult } from 'lit-html';
import { narrow } from '../dom.ts';
import { agesPart } from '../lazy.ts';
import { type Key, t } from '../i18n.ts';
import { type Scene, type Tab, tab } from '../state.ts';
import { caption, pathChip } from './caption.ts';
import { agesShown, charts, chartsShown } from './charts.ts';
import { cluster } from './lanes.ts';
import { ledger } from './ledger.ts';
import { score } from './score.ts';
import { sessions } from './sessions.ts';
import { onlyClients, rivals } from './scene.ts';
import { refusal, thread } from './thread.ts';
import { titles } from './titles.ts';

const tabs: [Tab, 'tabLedger' | 'tabRequests' | 'tabBrokers' | 'tabStates' | 'tabTime'][] = [['ledger', 'tabLedger'], ['requests', 'tabRequests'], ['brokers', 'tabBrokers'], ['states', 'tabStates'], ['time', 'tabTime']];

/** The stage; what a page has to say at its end stands below on a phone. */
export function stage(s: Scene, below: TemplateResult | typeof nothing = nothing): TemplateResult {
  if (narrow()) {
    return html`<main class="stage phone" id="stage" tabindex="-1" aria-labelledby="headline">${caption(s)}${pathChip(s)}
      <div class="ptabs" role="tablist">${tabsOf(s).map(([k, w]) => html`<button role="tab" aria-selected=${tab.value === k} @click=${() => { tab.value = k; }}>${t(w)}</button>`)}</div>
      <div class="zone ${onlyClients(s) ? 'bare' : ''}">${zone(s)}</div>${below}</main>`;
  }
  if (agesShown(s)) return html`<main class="stage" id="stage" tabindex="-1" aria-labelledby="headline">${caption(s)}${agesPart()?.ages(s) ?? nothing}</main>`;
  return html`<main class="stage ${chartsShown(s)}" id="stage" tabindex="-1" aria-labelledby="headline">${caption(s)}<div class="field ${rivals(s) ? 'two' : onlyClients(s) ? 'bare' : ''}">${titles(s)}${sessions(s)}${onlyClients(s) ? nothing : thread(s)}${ledger(s)}${refusal(s)}${cluster(s)}</div>${onlyClients(s) ? nothing : charts(s)}</main>`;
}

/** The zones of a phone; where there are only clients, nothing but theirs. */
function tabsOf(s: Scene): [Tab, Key][] {
  if (onlyClients(s)) return [['ledger', 'zk'], ['brokers', 'clients'], ['time', 'tabTime']];
  return tabs.map(([k, w]) => [k, k === 'ledger' && s.hidden ? 'tabLedgerHidden' : w]);
}

function zone(s: Scene): TemplateResult {
  switch (tab.value) {
    case 'ledger': return agesShown(s) ? html`${agesPart()?.ages(s) ?? nothing}` : html`<div class="phead"><h2>${t('zk')} <small>${t('truth')}</small></h2>${onlyClients(s) ? nothing : html`<h2>${t('cache')} <small>${t('belief')}</small></h2>`}</div>${ledger(s)}${refusal(s)}${onlyClients(s) ? nothing : thread(s)}`;
    case 'requests': case 'brokers': return html`${cluster(s)}`;
    case 'states': return charts(s);
    case 'time': return html`${score(s)}${sessions(s)}`;
  }
}
