// SPDX-License-Identifier: MIT
// Makes text from files safe to show in errors, warnings, tables and on the terminal.

const kLongest = 10_000;

// Terminals obey control characters, direction marks reverse text, and lone surrogates have no
// encoding.
const hidden = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;
const hiddenInLines = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function shorten(text: string): string {
  const { length } = text;
  return length > kLongest ? `${text.slice(0, kLongest - 1000)} … ${text.slice(-997)}` : text;
}

/** One line of text with invisible characters escaped; very long text loses its middle. */
export const visible = (text: string): string => shorten(text).replace(hidden, escapeCharacter);

/** Text of the package with invisible characters escaped; tabs and line breaks stay. */
export const visibleLines = (text: string): string => text.replace(hiddenInLines, escapeCharacter);

/**
 * A message of any origin. Later lines are indented, so that no name in it looks like a message.
 */
export const visibleMessage = (text: string): string =>
  visibleLines(shorten(text)).replace(/\n(?! {2})/g, '\n  ');

/** Writes a warning to the console. */
export function warn(message: string): void {
  console.warn(visibleMessage(`maskflow: ${message}`));
}
