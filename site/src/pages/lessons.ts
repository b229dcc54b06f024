// The map of lessons: what was seen, predicted and passed, from this browser's memory.
import { setUp } from '../common.ts';
import { fill, part } from '../page.ts';
import { answered, exportProgress, importProgress, passed, places } from '../progress.ts';

const map = document.querySelector<HTMLElement>('.map')!;
const home = document.body.dataset.home!;
const cards = [...map.querySelectorAll<HTMLElement>('[data-lesson]')];

function show(): void {
  const { last, at } = places();
  for (const card of cards) {
    const id = card.dataset.lesson!;
    const place = at[id];
    const state = passed(id) ? 'passed' : card.dataset.asks !== '0' && answered(id) >= Number(card.dataset.asks) ? 'predicted' : place ? 'seen' : 'open';
    part(card, 'status').hidden = false;
    for (const name of ['open', 'seen', 'predicted', 'passed']) part(card, name).hidden = name !== state;
    card.classList.toggle('last', id === last);
    if (place && place.n > 0 && place.n < place.of) part(card, 'place').textContent = fill(map.dataset.stop!, { n: place.n, of: card.dataset.stops! });
  }
  resume(cards.find((c) => c.dataset.lesson === last));
  part(document, 'legend').hidden = false;
}

/** The line at the foot that leads back to the lesson one left. */
function resume(card: HTMLElement | undefined): void {
  const bar = part(document, 'resume');
  const place = card && places().at[card.dataset.lesson!];
  bar.hidden = !place;
  if (!card || !place) return;
  part(bar, 'title').textContent = `${card.querySelector('.num')!.textContent} · ${card.querySelector('b')!.textContent}`;
  part(bar, 'text').textContent = fill(bar.dataset.text!, { n: place.n, of: card.dataset.stops!, right: place.right, wrong: place.wrong });
  bar.querySelector('a')!.href = `${home}lessons/${card.dataset.lesson}/#s=${Math.max(1, place.n)}`;
}

/** Export to a file and import from one. */
function keep(): void {
  const box = part(document, 'keep');
  const file = box.querySelector('input')!;
  box.hidden = false;
  box.querySelector('[data-do="export"]')!.addEventListener('click', () => {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(new Blob([exportProgress()], { type: 'application/json' }));
    a.download = 'controllerscope-progress.json';
    a.click();
    URL.revokeObjectURL(a.href);
  });
  box.querySelector('[data-do="import"]')!.addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    file.files?.[0]?.text().then((text) => {
      part(document, 'said').textContent = importProgress(text) ? map.dataset.imported! : map.dataset.notours!;
      show();
    }, () => { part(document, 'said').textContent = map.dataset.notours!; });
  });
}

/** Whether this browser remembers anything for this site. */
function remembers(): boolean {
  try {
    return typeof localStorage.length === 'number';
  } catch {
    return false;
  }
}

setUp();
if (remembers()) {
  show();
  keep();
}
