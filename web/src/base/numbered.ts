// SPDX-License-Identifier: MIT
// Names that end in a number: Keras numbers layers and weights, the command files.

/** Returns whether the text consists of digits and is not empty. */
export function isDigits(text: string): boolean {
  if (text === '') return false;
  for (const character of text) if (character < '0' || character > '9') return false;
  return true;
}

/** Splits a name at its last separator: 'dense_2' into 'dense' and '2'; '' without a number. */
export function splitNumber(
  name: string,
  separator: string,
): readonly [base: string, number: string] {
  const at = name.lastIndexOf(separator);
  const number = name.slice(at + 1);
  return at >= 0 && isDigits(number) ? [name.slice(0, at), number] : [name, ''];
}
