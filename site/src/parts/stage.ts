// The stage: caption, columns, charts; on a phone one zone at a time, on a tablet the row that leads to the inspector.
import { html, nothing, type TemplateResult } from 'lit-html';
import { narrow } from '../dom.ts';
import { agesPart } from '../lazy.ts';
import { type Key, t } from '../i18n.ts';
import { answers, asked, pane, type Pane, type Scene, scene, sheet, stopIndex, stops, type Tab, tab, veiled } from '../state.ts';
import { caption, pathChip } from './caption.ts';
import { agesShown, charts, chartsShown } from './charts.ts';
import { cluster } from './lanes.ts';
import { ending } from './inspector.ts';
import { ledger } from './ledger.ts';
import { askMark } from './rail.ts';
import { score } from './score.ts';
import { sessions } from './sessions.ts';
import { onlyClients, rivals } from './scene.ts';
import { refusal, thread } from './thread.ts';
import { titles } from './titles.ts';

const tabs: [Tab, 'tabLedger' | 'tabRequests' | 'tabBrokers' | 'tabStates' | 'tabTime'][] = [['ledger', 'tabLedger'], ['requests', 'tabRequests'], ['brokers', 'tabBrokers'], ['states', 'tabStates'], ['time', 'tabTime']];

export function stage(s: Scene): TemplateResult {
  if (narrow()) {
    return html`<main class="stage phone" id="stage" tabindex="-1" aria-labelledby="headline">${caption(s)}${pathChip(s)}
      <div class="ptabs" role="tablist">${tabsOf(s).map(([k, w]) => html`<button role="tab" aria-selected=${tab.value === k} @click=${() => { tab.value = k; }}>${t(w)}</button>`)}</div>
      <div class="zone ${onlyClients(s) ? 'bare' : ''}">${zone(s)}</div>${ending()}</main>`;
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

/** The last answer of this or the two stops before, in one line. */
function told(): TemplateResult {
  const here = stopIndex.value;
  const p = stops.value.slice(Math.max(0, here - 2), here + 1).findLast((x) => x.ask && answers.value[x.id]);
  const given = p?.ask?.choices.find((c) => c.id === answers.value[p.id]);
  if (!p || !given || veiled.value) return html`<span class="hint">${scene.value?.step?.entity ?? ''}</span>`;
  return html`<span>${askMark(p)} ${t('stopN', { n: p.n })}: <b>${given.text}</b> · ${t(given.right ? 'right' : 'wrong')}</span>`;
}

/** On a tablet: the prediction in a line, and the doors to the inspector. */
export function handleRow(): TemplateResult {
  const doors: [Pane, 'why' | 'diff' | 'node' | 'code'][] = [['why', 'why'], ['diff', 'diff'], ['node', 'node'], ['code', 'code']];
  return html`<section class="handle" aria-label=${t('why')}>${asked.value ? html`<button class="primary" @click=${() => { sheet.value = 'inspector'; }}>◇ ${t('predictFirst')}</button>` : told()}
    <div class="seg">${doors.map(([p, k]) => html`<button aria-pressed=${sheet.value === 'inspector' && pane.value === p} @click=${() => { pane.value = p; sheet.value = 'inspector'; }}>${t(k)}</button>`)}</div></section>`;
}
