// SPDX-License-Identifier: MIT

/** The pieces one behind the other, in `whole`, which has room for them. */
export function joinInto(whole: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The same in an array of their own; one piece as it is. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only) return only;
  return joinInto(new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0)), pieces);
}
