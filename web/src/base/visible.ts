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

/** Escapes invisible characters and line breaks. Cuts the middle out of very long text. */
export const visible = (text: string): string => shorten(text).replace(hidden, escapeCharacter);

/** Escapes invisible characters in the package's own text; keeps tabs and line breaks. */
export const visibleLines = (text: string): string => text.replace(hiddenInLines, escapeCharacter);

/**
 * Makes a message safe to show, even if it contains names from a file. Indents all lines but the
 * first, so that a line break in a name cannot fake another message.
 */
export const visibleMessage = (text: string): string =>
  visibleLines(shorten(text)).replace(/\n(?! {2})/g, '\n  ');

/** Writes a warning to the console. */
export function warn(message: string): void {
  console.warn(visibleMessage(`maskflow: ${message}`));
}
