// SPDX-License-Identifier: MIT
// What the build puts into the page.
declare module '*.keras' {
  const bytes: Uint8Array;
  export default bytes;
}
declare module 'engine-text' {
  const script: string;
  export default script;
}
