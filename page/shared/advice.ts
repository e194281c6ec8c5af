// SPDX-License-Identifier: MIT
/** Says what a chapter needs before it can draw. The page shows the message without the name. */
export class Advice extends Error {
  override name = 'Advice';
  /** Which advice it is, for code that adds to it. */
  code?: 'NO_FILE';
}
