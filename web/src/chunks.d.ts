// SPDX-License-Identifier: MIT
/** The text of the script of helpers, `helper.ts`. The build sets it. */
declare const HELPER_SCRIPT: string;

// Files that the build puts beside the entries: the glue of the wasm modules, the wasm of a module
// and variant as gzip in base64, and the scripts of workers as text.
declare module '*/chunks/glue.js' {
  const factory: (options: object) => Promise<unknown>;
  export default factory;
}
declare module '*simd.js' {
  const base64: string;
  export default base64;
}
declare module '*relaxed.js' {
  const base64: string;
  export default base64;
}
declare module '*threads.js' {
  const base64: string;
  export default base64;
}
declare module '*/worker_script.js' {
  /** The code that every script of a worker begins with. */
  export const shared: string;
  const text: string;
  export default text;
}
declare module '*/worker_train_script.js' {
  const text: string;
  export default text;
}
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
