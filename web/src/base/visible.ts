// SPDX-License-Identifier: MIT
// Texts out of files, as people are shown them: in errors, warnings, tables and on the terminal.

const kLongest = 10_000;

// Terminals obey control characters, marks of direction turn text round, and lone halves of a character have no encoding.
const hidden = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;
const hiddenInLines = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function cut(text: string): string {
  const { length } = text;
  return length > kLongest ? `${text.slice(0, kLongest - 1000)} … ${text.slice(-997)}` : text;
}

/** One line with escapes in place of the characters that cannot be seen, and without its middle if it is very long. */
export const visible = (text: string): string => cut(text).replace(hidden, escaped);

/** Text of our own, which has tabs and several lines. */
export const visibleLines = (text: string): string => text.replace(hiddenInLines, escaped);

/** A message of any origin. Its further lines are indented: no name in it can pass for a message of its own. */
export const visibleMessage = (text: string): string =>
  visibleLines(cut(text)).replace(/\n(?! {2})/g, '\n  ');

export function warn(message: string): void {
  console.warn(visibleMessage(`maskflow: ${message}`));
}
