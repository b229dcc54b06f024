// A sandbox run as a link or, when that is too long for mail and chat, as a file.
import { notice } from '../state.ts';
import { open } from '../parts/share.ts';
import { save } from '../save.ts';
import { runOfLink, scriptLink } from './script-link.ts';
import { begin, here, type Op } from './world.ts';
import { w } from './words.ts';

/** Longer links break in mail and chat. */
const longest = 1800;

function endOf(o: Op): string { return o.rec.step(o.rec.length - 1)?.hash ?? ''; }

/** The fragment that opens this run again. */
export function fragment(o: Op): Promise<string> { return scriptLink(o.inputs, endOf(o)); }

/** Opens the run that the address carries; says so when its end is not what it was. false when there is none. */
export async function openFragment(hash: string): Promise<boolean> {
  const p = new URLSearchParams(hash.replace(/^#/, ''));
  if (!p.has('k')) return false;
  const run = await runOfLink(p);
  if (!run) {
    notice.value = w('badLink');
    return false;
  }
  if (!await begin(run)) return false;
  const have = here.value ? endOf(here.value) : '';
  const want = p.get('c') ?? '';
  if (want !== '' && want !== have) notice.value = w('differs', { want, have });
  return true;
}

/** Opens the dialog for a run; without a link when that would be too long: its script is a file then. */
export async function share(o: Op): Promise<void> {
  const url = location.href.replace(/#.*/, '') + await fragment(o);
  const long = url.length > longest;
  if (!long) history.replaceState(null, '', url);
  open('sandbox', long ? [] : [{ label: w('copyLink'), text: () => url }], {
    say: long ? w('tooLong') : '', files: [[w('saveScript'), () => { save('sandbox.txt', o.inputs.setup + o.inputs.script); }]],
  });
}
