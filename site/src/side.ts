// What the inspector fetches when it is asked for: invariants, code and links of a lesson, as site/build wrote them.
import { signal } from '@preact/signals-core';
import { root, text } from './frame.ts';
import { underWay } from './lazy.ts';
import type { Ask } from './lesson.ts';
import { lesson } from './state.ts';

export interface Pseudo { kafka: string; lines: { text: string; at?: string[] }[] }
export interface GoFunction { file: string; line: number; text: string }
/** Another question like the one of a stop: exercise is what the core deals it from; keys and texts have gaps for what is dealt. */
export interface Again { exercise: string; kind: Ask['kind']; question: string; value?: string; at?: string; choices: { id: string; key?: string; text: string; why: string }[] }
export interface Side {
  invariants: { name: string; sentence: string; settled: boolean }[];
  pseudo: Pseudo[];
  functions: Record<string, GoFunction>;
  /** Lines of a message's function that make its step, by message key, from 0. */
  lines: Record<string, number[]>;
  again: Record<string, Again>;
  links: Record<string, { path: string; url: string }>;
}

const side = signal<Side | undefined>(undefined);
let asked = false;

/** The file of this lesson once it is there; undefined on pages without one. */
export function sidePart(): Side | undefined {
  const file = lesson.value?.side;
  if (file && !asked) {
    asked = true;
    const from = new URL(root.dataset.lesson!, location.href);
    void underWay(text(new URL(file, from).href).then((x) => { side.value = JSON.parse(x) as Side; }, () => { asked = false; }));
  }
  return side.value;
}
