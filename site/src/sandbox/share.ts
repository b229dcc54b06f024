// A sandbox run as a link, with the history it stands in, or, when that is too long for mail and chat, as a file.
import { notice } from '../state.ts';
import { open } from '../parts/share.ts';
import { save } from '../save.ts';
import { linked, scriptLink } from './script-link.ts';
import { begin, grown, here, type Op, ops, regrow } from './world.ts';
import { w } from './words.ts';

/** Longer links break in mail and chat. */
const longest = 1800;

function endOf(o: Op): string { return o.rec.step(o.rec.length - 1)?.hash ?? ''; }

/** The fragment that opens this run again; with its history when that has branches or names. */
export function fragment(o: Op, history = grown()): Promise<string> {
  return scriptLink(history ? { run: ops.value[0]!.inputs, history, here: ops.value.indexOf(o) } : { run: o.inputs }, endOf(o));
}

/** Opens the run that the address carries; says so when its end is not what it was. false when there is none. */
export async function openFragment(hash: string): Promise<boolean> {
  const p = new URLSearchParams(hash.replace(/^#/, ''));
  if (!p.has('k')) return false;
  const was = await linked(p);
  if (!was) {
    notice.value = w('badLink');
    return false;
  }
  if (!await (was.history ? regrow(was.run, was.history, was.here!) : begin(was.run))) return false;
  const have = here.value ? endOf(here.value) : '';
  const want = p.get('c') ?? '';
  if (want !== '' && want !== have) notice.value = w('differs', { want, have });
  return true;
}

/** Opens the dialog for a run; a history that is too long for a link is left out, and of a run that is too long itself the script is a file. */
export async function share(o: Op): Promise<void> {
  const page = location.href.replace(/#.*/, '');
  const whole = page + await fragment(o);
  const url = whole.length > longest ? page + await scriptLink({ run: o.inputs }, endOf(o)) : whole;
  const long = url.length > longest;
  if (!long) history.replaceState(null, '', url);
  open('sandbox', long ? [] : [{ label: w('copyLink'), text: () => url }], {
    say: long ? w('tooLong') : url === whole ? '' : w('branchOnly'), files: [[w('saveScript'), () => { save('sandbox.txt', o.inputs.setup + o.inputs.script); }]],
  });
}
