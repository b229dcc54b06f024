// Holds the WASM core. Protocol: {id, op, args} -> {id, json} or {id, error}. The core puts an object `controllerscope`
// with the functions load, act, choices and eval on the global scope; each takes and gives one JSON string.
import 'wasm_exec';

type Call = (json: string) => string;
interface Scope {
  Go: new () => { importObject: WebAssembly.Imports; run(i: WebAssembly.Instance): Promise<void> };
  controllerscope?: Record<string, Call>;
  onmessage: ((e: MessageEvent<{ id: number; op: string; args: string }>) => void) | null;
  postMessage(m: unknown): void;
}
const scope = globalThis as unknown as Scope;

/** Fetches the core; a host without WASM's MIME type, or one that only has the packed file, works too. */
async function instantiate(url: string, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`core.wasm: HTTP ${answer.status}`);
  if (answer.headers.get('content-type')?.startsWith('application/wasm')) {
    return (await WebAssembly.instantiateStreaming(answer, imports)).instance;
  }
  return (await WebAssembly.instantiate(await answer.arrayBuffer(), imports)).instance;
}

async function init(url: string): Promise<void> {
  const go = new scope.Go();
  const instance = await instantiate(url, go.importObject);
  void go.run(instance);
  if (!scope.controllerscope) throw new Error('core.wasm: no calls');
}

scope.onmessage = (e) => {
  const { id, op, args } = e.data;
  if (op === 'init') {
    init((JSON.parse(args) as { wasm: string }).wasm).then(
      () => scope.postMessage({ id, json: '{}' }),
      (err: unknown) => scope.postMessage({ id, error: err instanceof Error ? err.message : String(err) }),
    );
    return;
  }
  try {
    const call = scope.controllerscope?.[op];
    if (!call) throw new Error(`core.wasm: no call ${op}`);
    scope.postMessage({ id, json: call(args) });
  } catch (err) {
    scope.postMessage({ id, error: err instanceof Error ? err.message : String(err) });
  }
};
