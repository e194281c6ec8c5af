// SPDX-License-Identifier: MIT
/** What a chapter asks for before it can draw, in a sentence for its reader; its name is not shown. */
export class Advice extends Error {
  override name = 'Advice';
}
