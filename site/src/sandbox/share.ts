// A sandbox run as a link: its script, packed, behind the # so that no server sees it; and as a file when it is long.
import { notice } from '../state.ts';
import { save } from '../save.ts';
import { begin, here, type Op } from './world.ts';
import { w } from './words.ts';

/** Longer links break in mail and chat. */
const longest = 1800;

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

/** The fragment that opens this run again: v, seed, the packed texts, the hash of its end. */
export async function fragment(o: Op): Promise<string> {
  const { setup, script, tree, seed } = o.inputs;
  const packed = await through(new TextEncoder().encode(JSON.stringify(tree === undefined ? [setup, script] : [setup, script, tree])), new CompressionStream('deflate-raw'));
  return `#v=1&seed=${seed}&k=${base64(packed)}&c=${o.rec.step(o.rec.length - 1)?.hash ?? ''}`;
}

/** Opens the run that the address carries; says so when its end is not what it was. false when there is none. */
export async function openFragment(hash: string): Promise<boolean> {
  const p = new URLSearchParams(hash.replace(/^#/, ''));
  const k = p.get('k');
  if (k === null) return false;
  let texts: unknown;
  try {
    texts = JSON.parse(new TextDecoder().decode(await through(bytesOf(k), new DecompressionStream('deflate-raw'))));
  } catch {
    texts = undefined;
  }
  if (p.get('v') !== '1' || !Array.isArray(texts) || !texts.every((x) => typeof x === 'string')) {
    notice.value = w('badLink');
    return false;
  }
  const [setup, script, tree] = texts as string[];
  if (!await begin({ setup: setup ?? '', script: script ?? '', seed: Number(p.get('seed')) || 1, ...(tree === undefined ? {} : { tree }) })) return false;
  const have = here.value?.rec.step(here.value.rec.length - 1)?.hash ?? '';
  const want = p.get('c') ?? '';
  if (want !== '' && want !== have) notice.value = w('differs', { want, have });
  return true;
}

export async function share(o: Op): Promise<void> {
  const url = location.href.replace(/#.*/, '') + await fragment(o);
  if (url.length > longest) {
    save('sandbox.txt', o.inputs.setup + o.inputs.script);
    notice.value = w('tooLong');
    return;
  }
  history.replaceState(null, '', url);
  navigator.clipboard?.writeText(url).then(() => { notice.value = w('copied'); }, () => { notice.value = url; });
}
