// SPDX-License-Identifier: MIT
// String literals: of Python, and as JavaScript writes them.

const escapes: { readonly [letter: string]: string } = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const pattern =
  /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|N\{[^}]*\}|([\s\S]))/g;

/** Replaces the escapes in the content of a Python string. */
export function unescaped(text: string): string {
  return text.replace(pattern, (all, octal, hex, short, long, letter) => {
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8));
    const digits = hex ?? short ?? long;
    if (digits) {
      const code = Number.parseInt(digits, 16);
      return code > 0x10ffff ? all : String.fromCodePoint(code);
    }
    return letter === undefined ? all : (escapes[letter] ?? all);
  });
}

const opening = /^([a-zA-Z]*)('''|"""|'|")/;

/** Splits a literal of Python into its prefix, and its content with escapes. */
export function contentOf(literal: string): { prefix: string; content: string; skip: number } {
  const [all = '', prefix = '', quote = ''] = opening.exec(literal) ?? [];
  const end = literal.endsWith(quote) ? literal.length - quote.length : literal.length;
  return {
    prefix: prefix.toLowerCase(),
    content: literal.slice(all.length, end),
    skip: all.length,
  };
}

// The first alternative keeps pairs of surrogates, which are one character.
const special = /[\ud800-\udbff][\udc00-\udfff]|[\\\u2028\u2029\ud800-\udfff]|[^ -~\xa0-\uffff]/g;
const short: { readonly [char: string]: string } = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\\': '\\\\',
};

const escapeAll = (text: string): string =>
  text
    .replace(special, (char) =>
      char.length === 2
        ? char
        : (short[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    )
    // A page may show the program inside a script element.
    .replace(/<(?=[!/])/g, '\\x3c');

/** Writes a string literal of JavaScript. */
export function quoted(text: string): string {
  const body = escapeAll(text);
  return text.includes("'") && !text.includes('"')
    ? `"${body}"`
    : `'${body.replaceAll("'", "\\'")}'`;
}

/** Writes text as a part of a template literal. */
export const inTemplate = (text: string): string => escapeAll(text).replace(/`|\$\{/g, '\\$&');
