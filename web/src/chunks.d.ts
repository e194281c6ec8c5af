// SPDX-License-Identifier: MIT
/** How files of the package are called that are imported as this one is; the build fills it in. */
declare const MODULE_EXTENSION: '.js' | '.cjs';

// The build puts these beside the entry: the glue of the wasm module, and each variant's bytes.
declare module '*/chunks/glue.js' {
  const factory: (options: object) => Promise<unknown>;
  export default factory;
}
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
declare module '*/chunks/worker_script.js' {
  const text: string;
  export default text;
}
declare module '*/chunks/worker_train_script.js' {
  const text: string;
  export default text;
}
declare module '*/chunks/simd.js' {
  const base64: string;
  export default base64;
}
declare module '*/chunks/relaxed.js' {
  const base64: string;
  export default base64;
}
declare module '*/chunks/recurrent-simd.js' {
  const base64: string;
  export default base64;
}
declare module '*/chunks/recurrent-relaxed.js' {
  const base64: string;
  export default base64;
}
declare module '*/chunks/train-simd.js' {
  const base64: string;
  export default base64;
}
declare module '*/chunks/train-relaxed.js' {
  const base64: string;
  export default base64;
}
