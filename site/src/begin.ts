// How pages with a world of their own begin (sandbox, trace, exercises): words, the first drawing, and the core behind.
import type { TemplateResult } from 'lit-html';
import * as core from './core.ts';
import { size } from './dom.ts';
import { draw, root, speak, text } from './frame.ts';
import { useWords } from './i18n.ts';
import { keepOffline } from './keep.ts';
import { level } from './state.ts';
import { recallTheme } from './theme.ts';

const data = root.dataset as Record<string, string>;

async function json(url: string): Promise<Record<string, string>> { return JSON.parse(await text(url)) as Record<string, string>; }

/** Draws the page once its words are there. */
export async function firstDrawn(drawn: () => TemplateResult, keys: (e: KeyboardEvent) => void): Promise<void> {
  recallTheme();
  const [words, messages] = await Promise.all([json(data.words!), json(data.messages!)]);
  useWords(document.documentElement.lang, words, messages);
  size.value = { ...size.value, width: innerWidth };
  level.value = 'micro';
  draw(drawn);
  speak();
  addEventListener('keydown', keys);
}

/** Starts the core behind the page, and keeps the site for when there is no network. */
export function behind(): void {
  keepOffline(data.up!);
  core.start(new URL(data.worker!, location.href).href, new URL(data.wasm!, location.href).href);
}
