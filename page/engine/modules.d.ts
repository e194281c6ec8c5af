// SPDX-License-Identifier: MIT
// Modules that the build inserts into the page.
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
declare module 'port-text' {
  const script: string;
  export default script;
}
