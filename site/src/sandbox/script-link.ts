// A run as a link: its script, packed, behind the # so that no server sees it.
import type { Inputs } from '../core.ts';

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

/** The fragment that opens a run again in the sandbox: v, seed, the packed texts, the hash of its end. */
export async function scriptLink(run: Inputs, hash: string): Promise<string> {
  const { setup, script, tree, seed } = run;
  const packed = await through(new TextEncoder().encode(JSON.stringify(tree === undefined ? [setup, script] : [setup, script, tree])), new CompressionStream('deflate-raw'));
  return `#v=1&seed=${seed}&k=${base64(packed)}&c=${hash}`;
}

/** The run that the parameters of such a fragment carry; undefined when they are damaged. */
export async function runOfLink(p: URLSearchParams): Promise<Inputs | undefined> {
  let texts: unknown;
  try {
    texts = JSON.parse(new TextDecoder().decode(await through(bytesOf(p.get('k') ?? ''), new DecompressionStream('deflate-raw'))));
  } catch {
    return undefined;
  }
  if (p.get('v') !== '1' || !Array.isArray(texts) || !texts.every((x) => typeof x === 'string')) return undefined;
  const [setup, script, tree] = texts as string[];
  return { setup: setup ?? '', script: script ?? '', seed: Number(p.get('seed')) || 1, ...(tree === undefined ? {} : { tree }) };
}
