// On a page without a stage: cards on the terms in its prose.
import { begin, type Cards, ofTerm } from './tips.ts';

let cards: Cards | undefined;

void fetch(document.body.dataset.cards!).then(async (answer) => { if (answer.ok) cards = await answer.json() as Cards; }, () => { /* the links lead there all the same */ });
begin('a.term', (el) => (cards ? ofTerm(el, cards) : []));
