// SPDX-License-Identifier: MIT
// The part of papaparse that is used.
declare module 'papaparse/papaparse.js' {
  interface Config {
    delimiter: string;
    newline: string;
  }
  interface Parsed {
    data: string[][];
    /** `cursor` is the position behind the last row. */
    meta: { cursor: number };
  }
  class Parser {
    constructor(config: Config);
    parse(text: string, start: number, ignoresLastRow: boolean): Parsed;
  }
  const Papa: { Parser: typeof Parser };
  export default Papa;
}
