// Loads a core.wasm and answers each line of standard input, [name, question], with a line that holds the core's answer.
// usage: node calls.cjs WASM_EXEC_JS CORE_WASM
'use strict';
const fs = require('fs');
require(process.argv[2]);

async function main() {
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(fs.readFileSync(process.argv[3]), go.importObject);
  void go.run(instance);
  const names = Object.keys(globalThis.controllerscope).sort();
  let answers = JSON.stringify(names) + '\n';
  for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    const [name, question] = JSON.parse(line);
    answers += globalThis.controllerscope[name](question) + '\n';
  }
  process.stdout.write(answers, () => process.exit(0));
}
main().catch((e) => { process.stderr.write(String(e.stack) + '\n'); process.exit(1); });
