// SPDX-License-Identifier: MIT
/** Says what a chapter needs before it can draw. The page shows the message without the name. */
export class Advice extends Error {
  override name = 'Advice';
}
