// Small helpers of the pictures: styles through the CSSOM (the page's policy allows no style attributes), icons, sizes.
import { nothing, noChange, svg, type TemplateResult } from 'lit-html';
import { Directive, directive, type ElementPart, type PartInfo } from 'lit-html/directive.js';
import { signal } from '@preact/signals-core';
import { type Tab, tab } from './state.ts';

class Vars extends Directive {
  constructor(info: PartInfo) { super(info); }
  render(_: Record<string, string | number>): symbol { return noChange; }
  override update(part: ElementPart, [vars]: [Record<string, string | number>]): symbol {
    const style = (part.element as HTMLElement).style;
    for (const [k, v] of Object.entries(vars)) style.setProperty(k, String(v));
    return noChange;
  }
}
/** Sets custom properties on an element: <div ${vars({'--x': '3px'})}>. */
export const vars = directive(Vars);

/** Called each time the page has been drawn. */
export const onDrawn: (() => void)[] = [];

/** What the layout has room for: the height of the stage below its caption, the width of the window; set by frame.ts. */
export const size = signal({ stage: 636, width: 1440 });
export const narrow = (): boolean => size.value.width <= 700;
export const medium = (): boolean => size.value.width <= 1180;

const paths: Record<string, TemplateResult> = {
  bell: svg`<path d="M8 1.6a4.4 4.4 0 0 0-4.4 4.4c0 3.4-1.2 4.6-1.8 5.2-.3.3-.1.9.4.9h11.6c.5 0 .7-.6.4-.9-.6-.6-1.8-1.8-1.8-5.2A4.4 4.4 0 0 0 8 1.6zM6.3 13.1a1.8 1.8 0 0 0 3.4 0z" fill="currentColor"/>`,
  blind: svg`<path d="M8 1.6a4.4 4.4 0 0 0-4.4 4.4c0 3.4-1.2 4.6-1.8 5.2-.3.3-.1.9.4.9h11.6c.5 0 .7-.6.4-.9-.6-.6-1.8-1.8-1.8-5.2A4.4 4.4 0 0 0 8 1.6z" fill="none" stroke="currentColor" stroke-width="1.3" stroke-dasharray="2 1.6"/><path d="M2 14.5 14 1.5" stroke="currentColor" stroke-width="1.6"/>`,
  clock: svg`<circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M8 4.4V8l2.4 1.6" fill="none" stroke="currentColor" stroke-width="1.5"/>`,
  crown: svg`<path d="M1.5 4.2 4.6 7 8 2.4 11.4 7l3.1-2.8-1.2 8.6H2.7z" fill="currentColor"/>`,
  star: svg`<path d="m8 1 2.1 4.6 5 .6-3.7 3.4 1 5L8 12.1 3.6 14.6l1-5L.9 6.2l5-.6z" fill="currentColor"/>`,
  shield: svg`<path d="M10 1.2c2.6 1.6 5.2 2.2 8 2.3v8.1c0 5-3.6 8.7-8 10.7-4.4-2-8-5.7-8-10.7V3.5c2.8-.1 5.4-.7 8-2.3z" fill="var(--surface)" stroke="currentColor" stroke-width="1.5"/>`,
  lock: svg`<path d="M4.6 7V5.2a3.4 3.4 0 0 1 6.8 0V7h.6c.6 0 1 .4 1 1v5.4c0 .6-.4 1-1 1H4c-.6 0-1-.4-1-1V8c0-.6.4-1 1-1zm1.7 0h3.4V5.2a1.7 1.7 0 0 0-3.4 0z" fill="currentColor"/>`,
  run: svg`<path d="M4 2.4v11.2L13 8z" fill="currentColor"/>`,
  pause: svg`<path d="M4 2.5h3v11H4zM9 2.5h3v11H9z" fill="currentColor"/>`,
  back: svg`<path d="M10 3 5 8l5 5" fill="none" stroke="currentColor" stroke-width="1.8"/>`,
  next: svg`<path d="m6 3 5 5-5 5" fill="none" stroke="currentColor" stroke-width="1.8"/>`,
  first: svg`<path d="M12 3 7 8l5 5M4 3v10" fill="none" stroke="currentColor" stroke-width="1.8"/>`,
  last: svg`<path d="m4 3 5 5-5 5M12 3v10" fill="none" stroke="currentColor" stroke-width="1.8"/>`,
  fork: svg`<path d="M3.5 14V3M3.5 9c0-4 3-4.5 8-4.5M9 1.8l2.8 2.7L9 7.2" fill="none" stroke="currentColor" stroke-width="1.7"/>`,
  share: svg`<path d="M8 10V2M5 4.6 8 1.6l3 3M3.5 7.5H2.5v7h11v-7h-1" fill="none" stroke="currentColor" stroke-width="1.5"/>`,
  menu: svg`<path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" stroke-width="1.6"/>`,
  dots: svg`<circle cx="3" cy="8" r="1.5" fill="currentColor"/><circle cx="8" cy="8" r="1.5" fill="currentColor"/><circle cx="13" cy="8" r="1.5" fill="currentColor"/>`,
  screen: svg`<path d="M1.5 3h13v8h-13zM8 11v2.5M5 13.5h6" fill="none" stroke="currentColor" stroke-width="1.5"/>`,
  theme: svg`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/>`,
  check: svg`<path d="m3 8.5 3.5 3.5L13 4.5" fill="none" stroke="currentColor" stroke-width="2.2"/>`,
  cross: svg`<path d="m4 4 8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="2.2"/>`,
  dash: svg`<path d="M3 8h10" stroke="currentColor" stroke-width="1.8"/>`,
  ask: svg`<path d="m8 1.5 6.5 6.5L8 14.5 1.5 8z" fill="none" stroke="currentColor" stroke-width="1.6"/>`,
  askDone: svg`<path d="m8 1.5 6.5 6.5L8 14.5 1.5 8z" fill="currentColor"/>`,
  chevron: svg`<path d="m3 6 5 5 5-5" fill="none" stroke="currentColor" stroke-width="1.6"/>`,
  logo: svg`<circle cx="8" cy="8" r="6.8" fill="none" stroke="currentColor" stroke-width="1.4"/><path d="M1.5 8h13" stroke="currentColor" stroke-width="1.4"/><circle cx="8" cy="8" r="2.6" fill="var(--now)"/>`,
};

/** An inline picture; always decorative, what it means stands beside it as text or label. */
export function icon(name: keyof typeof paths, cls = ''): TemplateResult {
  const box = name === 'shield' ? '0 0 20 24' : '0 0 16 16';
  return svg`<svg class="i ${cls}" viewBox=${box} aria-hidden="true">${paths[name] ?? nothing}</svg>` as TemplateResult;
}

/** Whether a part is to be drawn: on a phone only that of the chosen tab. */
export function tabIs(name: Tab): boolean { return !narrow() || tab.value === name; }
