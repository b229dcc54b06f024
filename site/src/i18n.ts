// Words in the reader's language. The texts are data; core gives keys and arguments only.
import type en from '../text/en.json';
import type later from '../text/later.en.json';

export type Key = keyof typeof en | keyof typeof later;
type Params = Record<string, string | number>;

let words: Record<string, string> = {};
let messages: Record<string, string> = {};
export let lang = 'en';

let complete: (() => void) | undefined;
/** Kept when all words are there: a lesson begins with those of its first picture. */
export const allWords = new Promise<void>((ok) => { complete = ok; });

export function useWords(language: string, ui: Record<string, string>, msgs: Record<string, string>, whole = true): void {
  lang = language;
  words = ui;
  messages = msgs;
  if (whole) complete?.();
}

export function t(key: Key, params: Params = {}): string { return fill(words[key] ?? key, params); }

/** One of the words that stand beside the messages: value.yes, value.no. */
export function word(key: string): string { return messages[key] ?? key; }

/** The sentence of a step's message: its own, else that of its kind. */
export function sentence(key: string | undefined, kind: string, params: Params): string {
  const own = key === undefined ? undefined : messages[key];
  return fill(own ?? words['kind.' + kind] ?? kind, params);
}

/** A text with its gaps {name} filled. */
export function fill(template: string, params: Params): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
