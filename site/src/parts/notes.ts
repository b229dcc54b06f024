// What the notes window is told about the page of a lesson, and what it asks of it. Both are on this machine: the browser's
// own channel between pages of one origin.
import { effect } from '@preact/signals-core';
import { plain } from '../fmt.ts';
import { answers, asked, blank, lesson, scene, stopIndex, stops, veiled } from '../state.ts';

/** What is shown to the class, with the key to its question and what comes after it. */
export interface Told { lesson: string; title: string; n: number; of: number; headline: string; sentence: string; ask?: { question: string; right: string[]; open: boolean }; ahead: { n: number; title: string }[] }

/** What the notes window sends: that it is there, or a key that it was given in place of the lesson. */
export interface Asked { hello?: true; key?: string }

function told(): Told | undefined {
  const l = lesson.value;
  const all = stops.value;
  const here = scene.value?.stop;
  if (!l) return undefined;
  const i = stopIndex.value;
  const ask = here?.ask;
  const right = ask?.order?.map((id) => ask.choices.find((c) => c.id === id)!) ?? ask?.choices.filter((c) => c.right) ?? [];
  const open = asked.value !== undefined;
  blank.value; veiled.value;
  return { lesson: l.id, title: `${l.number} · ${l.title}`, n: i + 1, of: all.length, headline: plain(here?.headline ?? ''), sentence: plain(here?.sentence ?? ''),
    ...(ask && { ask: { question: ask.question, right: right.map((c) => `${c.text} — ${c.why}`), open: open && answers.value[here!.id] === undefined } }),
    ahead: all.slice(i + 1, i + 4).map((s) => ({ n: s.n, title: plain(s.title) })) };
}

const channel = new BroadcastChannel('controllerscope.notes');
channel.onmessage = (e: MessageEvent<Asked>): void => {
  const { key } = e.data;
  if (e.data.hello) channel.postMessage(told());
  else if (typeof key === 'string') document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
};
effect(() => { channel.postMessage(told()); });
