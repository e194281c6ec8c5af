// SPDX-License-Identifier: MIT
declare module '*.keras' {
  const bytes: Uint8Array;
  export default bytes;
}
declare module '*.json' {
  const value: unknown;
  export default value;
}
