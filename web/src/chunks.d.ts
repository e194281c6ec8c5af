// SPDX-License-Identifier: MIT
// The build puts these beside the entry: the glue of the wasm module, and each variant's bytes.
declare module '*/chunks/glue.js' {
  const factory: (options: object) => Promise<unknown>;
  export default factory;
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
