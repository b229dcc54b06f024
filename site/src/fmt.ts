// How values of the document look.
import type { Step, Value } from './gen/trace.ts';
import { sentence, word } from './i18n.ts';

/** Tagged identities in short: zxid:0x7a is 0x7A, a session its last four digits. */
export function plain(text: string): string {
  return text
    .replace(/zxid:0x([0-9a-f]+)/g, (_, hex: string) => '0x' + hex.toUpperCase())
    .replace(/session:0x([0-9a-f]+)/g, (_, hex: string) => '…' + hex.slice(-4))
    .replace(/time:(\d+)/g, (_, ms: string) => new Date(Number(ms)).toISOString().slice(11, 19))
    .replace(/corr:(\d+)/g, '$1');
}

/** A value as text: a list as a set in braces, a record as its fields. */
export function show(v: Value | undefined): string {
  if (v === undefined || v === null) return '∅';
  if (Array.isArray(v)) return v.length === 0 ? '∅' : '{' + v.map(show).join(',') + '}';
  if (typeof v === 'object') return Object.entries(v).map(([k, x]) => `${k} ${Array.isArray(x) ? '[' + x.map(show).join(',') + ']' : show(x)}`).join(' · ');
  return plain(String(v));
}

export function seconds(ms: number, digits = 3): string { return (ms / 1000).toFixed(digits); }

/** What a step says, in the reader's language. */
export function stepText(s: Step): string {
  const params: Record<string, string> = { entity: s.entity ?? s.lane };
  for (const [k, v] of Object.entries(s.msg?.args ?? {})) params[k] = argText(v);
  return plain(sentence(s.msg?.key, s.kind, params));
}

/** A path as its last two names, when it is long. */
function brief(entity: string): string {
  const parts = entity.split('/');
  return entity.length > 26 && parts.length > 3 ? '…/' + parts.slice(-2).join('/') : entity;
}

/** A text of so many columns at most; a Chinese character takes two. */
export function cut(text: string, columns: number): string {
  let used = 0;
  let kept = '';
  for (const c of text) {
    used += c > '\u2e7f' ? 2 : 1;
    if (used >= columns && kept.length + c.length < text.length) return kept.trimEnd() + '…';
    kept += c;
  }
  return text;
}

/** The same in few words: what kind of thing happened to what. */
export function kindText(s: Step): string {
  const params: Record<string, string> = { entity: brief(s.entity ?? s.lane) };
  for (const [k, v] of Object.entries(s.msg?.args ?? {})) params[k] = argText(v);
  return plain(sentence(undefined, s.kind, params));
}

/** An argument as sentences need it: lists and records with commas, words for nothing, yes and no. */
function argText(v: Value): string {
  if (typeof v === 'boolean') return word(v ? 'value.yes' : 'value.no');
  if (v === -1) return `${word('value.none')} (−1)`;
  const parts = Array.isArray(v) ? v.map(argText) : typeof v === 'object' ? Object.entries(v).map(([k, x]) => `${k}=${argText(x)}`) : v === '' ? [] : [plain(String(v))];
  return parts.length === 0 ? word('value.none') : parts.join(', ');
}

/** A path as expressions write it: zk[/controller].data. */
export function pathText(path: readonly string[]): string {
  return path.map((w, i) => (/^\w+$/.test(w) && !/^\d/.test(w) ? (i ? '.' : '') + w : `[${w}]`)).join('');
}
