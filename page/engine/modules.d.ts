// SPDX-License-Identifier: MIT
// What the build puts into the page.
declare module '*.keras' {
  const bytes: Uint8Array;
  export default bytes;
}
declare module '*.example.js' {
  const text: string;
  export default text;
}
declare module 'page-cases' {
  const cases: unknown[];
  export default cases;
}
declare module 'engine-text' {
  const script: string;
  export default script;
}
