// A run as a link: its script, or the whole history with its names, packed, behind the # so that no server sees it.
import type { Inputs } from '../core.ts';
import type { Grown } from './world.ts';

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const out = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(out as BodyInit).arrayBuffer());
}

function base64(bytes: Uint8Array): string {
  let s = '';
  for (const b of bytes) s += String.fromCharCode(b);
  return btoa(s).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
}

/** What a link carries: a run, or the one that a history began with, that history, and the place of the operation that is shown. */
export interface Linked { run: Inputs; history?: Grown[] | undefined; here?: number }

/** The fragment that opens a run or a history again in the sandbox: v, seed, what it is packed, the hash of its end. */
export async function scriptLink({ run, history, here }: Linked, hash: string): Promise<string> {
  const { setup, script, tree, seed } = run;
  const what = history ? [setup, script, tree ?? null, history, here] : tree === undefined ? [setup, script] : [setup, script, tree];
  const packed = await through(new TextEncoder().encode(JSON.stringify(what)), new CompressionStream('deflate-raw'));
  return `#v=${history ? 2 : 1}&seed=${seed}&k=${base64(packed)}&c=${hash}`;
}

function isHistory(list: unknown): list is Grown[] {
  return Array.isArray(list) && list.length > 0 && list.every((o: unknown, i) => Array.isArray(o) && o.length === 5 && Number.isInteger(o[0]) && (i === 0 ? o[0] === -1 : o[0] >= 0 && o[0] < i) && Number.isInteger(o[1]) && o.slice(2).every((x) => typeof x === 'string'));
}

/** What the parameters of such a fragment carry; undefined when they are damaged. */
export async function linked(p: URLSearchParams): Promise<Linked | undefined> {
  let what: unknown;
  try {
    what = JSON.parse(new TextDecoder().decode(await through(bytesOf(p.get('k') ?? ''), new DecompressionStream('deflate-raw'))));
  } catch {
    return undefined;
  }
  if (!Array.isArray(what)) return undefined;
  const [setup, script, tree, history, here] = what as unknown[];
  const grown = p.get('v') === '2';
  if (!(grown ? isHistory(history) && Number.isInteger(here) : p.get('v') === '1' && history === undefined)) return undefined;
  if (typeof (setup ?? '') !== 'string' || typeof (script ?? '') !== 'string' || typeof (tree ?? '') !== 'string') return undefined;
  const run: Inputs = { setup: (setup ?? '') as string, script: (script ?? '') as string, seed: Number(p.get('seed')) || 1, ...(tree == null ? {} : { tree: tree as string }) };
  return grown ? { run, history: history as Grown[], here: here as number } : { run };
}
