// SPDX-License-Identifier: MIT

/** Are all characters digits, and is there one? */
export function isDigits(text: string): boolean {
  if (text === '') return false;
  for (const character of text) if (character < '0' || character > '9') return false;
  return true;
}

/**
 * A name and the number behind its last separator: 'dense_2' is 'dense' and '2'; '' where there is
 * none.
 */
export function withoutNumber(
  name: string,
  separator: string,
): readonly [base: string, number: string] {
  const at = name.lastIndexOf(separator);
  const number = name.slice(at + 1);
  return at >= 0 && isDigits(number) ? [name.slice(0, at), number] : [name, ''];
}
