// What a lesson shares: the place, the place with answers hidden, a frame for other pages; of a what-if its script.
import { t } from '../i18n.ts';
import { place } from '../link.ts';
import { scriptLink } from '../sandbox/script-link.ts';
import { fork, lesson } from '../state.ts';
import { type Copy, open } from './share.ts';

/** The page without its place. */
function here(query = ''): string { return location.origin + location.pathname + query; }

/** A frame for other pages: the lesson's stage with buttons to step. It tells its height to the page around it. */
function frame(title: string): string {
  const text = title.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
  return `<iframe src="${here('?embed=1')}${place()}" title="${text}" width="100%" height="640" loading="lazy"></iframe>`;
}

/** The run of a what-if in the sandbox. */
async function sandbox(): Promise<string> {
  const { setup, seed, script, steps } = fork.value!.rec.trace;
  const at = document.getElementById('app')!.dataset.home! + 'sandbox/';
  return new URL(at, location.href).href + await scriptLink({ run: { setup: String(setup), seed, script } }, steps[steps.length - 1]!.hash);
}

export function shareLesson(): void {
  const l = lesson.value!;
  const copies: Copy[] = fork.value ? [{ label: t('copySandbox'), text: sandbox }] : [
    { label: t('copyLink'), text: () => here() + place() },
    { label: t('copyHidden'), text: () => here() + place().replace('&h=1', '') + '&h=1' },
    { label: t('copyEmbed'), text: () => frame(l.title) },
  ];
  open(l.id, copies);
}
