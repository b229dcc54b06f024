// Cards on znodes and terms of the stage (tips.ts), and in a lesson's sentences links from the glossary's words to it.
// What is touched opens the inspector.
import { html, type TemplateResult } from 'lit-html';
import { onDrawn } from '../dom.ts';
import { root, text } from '../frame.ts';
import { terms } from './caption.ts';
import { begin as beginTips, type Cards, ofTerm, tidy } from './tips.ts';

/** What has a card, by selector: the first that fits counts. A line of the ledger has the znode's. */
const hosts: [selector: string, term: string][] = [['.bell.blind', 'lost-watch'], ['.bell', 'watch'], ['.eph', 'ephemeral'], ['.row .v', 'version'], ['.zxid', 'zxid'], ['.office', 'controller-epoch'], ['.t-zk', 'znode'], ['.t-ctl', 'context'],
  ['.t-req', 'leader-and-isr'], ['.t-br', 'broker'], ['.sessions .meta', 'session'], ['.queue > span:first-child', 'event-queue'], ['.tcard .head', 'event-thread'], ['.i.star', 'leader'], ['.i.shield', 'fencing']];
/** What is no button and yet reached by Tab. */
const stops = '.t-zk, .t-ctl, .t-req, .t-br, .sessions .meta, .queue > span:first-child';

let cards: Cards | undefined;

function matches(pattern: string, path: string): boolean {
  const [a, b] = [pattern.split('/'), path.split('/')];
  return a.length === b.length && a.every((word, i) => word === '*' || word === b[i]);
}

/** What stands on the card of an element: pairs of a name and a text. */
function contents(el: Element): [string, string][] {
  const term = (id: string): [string, string][] => { const t = cards?.terms[id]; return t ? [[t.name, t.text]] : []; };
  if (cards && el.matches('a.term')) return ofTerm(el, cards);
  const own = hosts.find(([selector]) => el.matches(selector));
  if (own) return term(own[1]);
  const row = el.closest<HTMLElement>('.row[data-path]');
  const path = row?.dataset.path ?? '';
  const z = cards?.znodes.find((x) => matches(x.path, path));
  if (!row || !z) return [];
  return [[path, z.text], ...(row.querySelector('.eph') ? term('ephemeral') : []), ...(row.querySelector('.bell.blind') ? term('lost-watch') : row.querySelector('.bell') ? term('watch') : [])];
}

/** Where words of Latin letters go on. */
const latin = /\w/;

/** A text with links to what the glossary says of its words; each term the first time only. */
function marked(all: Cards): (text: string, known: Set<string>) => TemplateResult {
  const ids = new Map(Object.entries(all.terms).flatMap(([id, t]) => (t.said ?? []).map((word) => [word.toLowerCase(), id] as const)));
  const words = [...ids.keys()].sort((a, b) => b.length - a.length).map((word) => word.replace(/[^\w\s-]/g, '\\$&'));
  const pattern = new RegExp(words.join('|'), 'gi');
  const goesOn = (text: string, at: number): boolean => latin.test(text[at - 1] ?? '') && latin.test(text[at] ?? '');
  return (text, known) => {
    const out: TemplateResult[] = [];
    let from = 0;
    for (const m of text.matchAll(pattern)) {
      const id = ids.get(m[0].toLowerCase())!;
      const end = m.index + m[0].length;
      if (known.has(id) || goesOn(text, m.index) || goesOn(text, end)) continue;
      known.add(id);
      out.push(html`${text.slice(from, m.index)}<a class="term" href="${root.dataset.home}glossary/#${id}">${m[0]}</a>`);
      from = end;
    }
    return html`${out}${text.slice(from)}`;
  };
}

/** Begins behind the first picture; kept when the texts are there. Without them there are no cards. */
export async function begin(): Promise<void> {
  beginTips([...hosts.map(([s]) => s), '.row[data-path] .name', '.row[data-path] .val', 'a.term'].join(', '), contents);
  onDrawn.push(() => {
    root.querySelectorAll(stops).forEach((el) => { if (!el.hasAttribute('tabindex')) el.setAttribute('tabindex', '0'); });
    tidy();
  });
  try {
    cards = JSON.parse(await text(root.dataset.cards!)) as Cards;
    terms.value = marked(cards);
  } catch { /* what they would say is in the glossary */ }
}
