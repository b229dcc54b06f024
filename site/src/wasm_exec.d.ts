// Go's own loader; site/build takes it from GOROOT.
declare module 'wasm_exec';
