// The articles page: its find box shows the rows of the table that hold every word typed.
import { setUp } from '../common.ts';
import { fill, part } from '../page.ts';

setUp();
const root = document.querySelector<HTMLElement>('.find')!;
const all = part<HTMLDetailsElement>(root, 'all');
const rows = [...root.querySelectorAll<HTMLTableRowElement>('[data-find]')].map((row) => ({ row, text: row.dataset.find!.toLowerCase() + ' ' + row.cells[0]!.textContent!.toLowerCase() }));

function find(what: string): void {
  const words = what.toLowerCase().split(/\s+/).filter(Boolean);
  let n = 0;
  for (const { row, text } of rows) {
    row.hidden = !words.every((w) => text.includes(w));
    if (!row.hidden) n++;
  }
  all.open = words.length > 0;
  part(root, 'said').textContent = words.length === 0 ? '' : n === 0 ? root.dataset.none! : fill(root.dataset.found!, { n });
}

const box = part(root, 'box');
box.hidden = false;
const input = box.querySelector('input')!;
input.addEventListener('input', () => find(input.value));
if (input.value) find(input.value);
