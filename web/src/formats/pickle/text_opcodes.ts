// SPDX-License-Identifier: MIT
// The opcodes of protocols 0 and 1, most of which are lines of text.
import { nameOf, push } from './opcodes.js';
import type { PickleReader, Step } from './pickle_reader.js';
import { PythonName, PythonObject } from './python_values.js';

/** Most digits of an integer: converting them takes time that grows with their square. */
const kMaxDigits = 1000;

function integer(pickle: PickleReader, text: string): number | bigint {
  const digits = text.replace(/L$/, '');
  if (!/^-?\d+$/.test(digits) || digits.length > kMaxDigits) {
    throw pickle.damaged(`an integer is '${text.slice(0, 40)}'`);
  }
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** An integer, or one of the two that are booleans. */
function integerOrBoolean(pickle: PickleReader): unknown {
  const line = pickle.line();
  return line === '01' ? true : line === '00' ? false : integer(pickle, line);
}

const words: { readonly [word: string]: number } = {
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
  '-nan': Number.NaN,
};

function float(pickle: PickleReader): number {
  const line = pickle.line();
  const value = Object.hasOwn(words, line) ? (words[line] as number) : Number(line || Number.NaN);
  if (Number.isNaN(value) && !/^-?nan$/.test(line))
    throw pickle.damaged(`a number is '${line.slice(0, 40)}'`);
  return value;
}

const escapes: { readonly [letter: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
};

/** Returns the text of a literal of Python 2, in quotes and with escapes. */
function literal(pickle: PickleReader): string {
  const [, , text] = /^(['"])(.*)\1$/s.exec(pickle.line()) ?? [];
  if (text === undefined) throw pickle.damaged('a text has no quotes');
  return text.replace(/\\(?:x([0-9a-f]{2})|([0-7]{1,3})|(.))/gis, (_, hex, octal, letter) =>
    hex || octal
      ? String.fromCharCode(Number.parseInt(hex ?? octal, hex ? 16 : 8))
      : (escapes[letter] ?? letter),
  );
}

/** Returns a text with escapes for some characters only. */
function unicode(pickle: PickleReader): string {
  const line = latin1(pickle.lineBytes());
  return line.replace(/\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g, (whole, four, eight) => {
    const code = Number.parseInt(four ?? eight, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function memoIndex(pickle: PickleReader): number {
  const index = integer(pickle, pickle.line());
  if (typeof index === 'number' && index >= 0) return index;
  throw pickle.damaged(`the number of a value to repeat is ${index}`);
}

function instance(pickle: PickleReader, type: unknown, args: readonly unknown[]): void {
  if (!(type instanceof PythonName)) throw pickle.damaged('an object has no class');
  pickle.push(new PythonObject(type.name, args));
}

/** Bytes of Python 2, as a text with one character for each of them. */
const byteText = (size: number): Step =>
  push((pickle) => {
    const bytes = pickle.bytes(size);
    pickle.budget.spend('text', bytes.length, 'the pickle');
    return latin1(bytes);
  });

/** Number of bytes that become characters at a time. */
const kPiece = 8192;

/** TextDecoder's latin1 is windows-1252, which differs in some bytes. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += kPiece) {
    text += String.fromCharCode(...bytes.subarray(at, at + kPiece));
  }
  return text;
}

export const textOpcodes: { readonly [code: number]: Step } = {
  73: push(integerOrBoolean),
  76: push((pickle) => integer(pickle, pickle.line())),
  70: push(float),
  83: push(literal),
  86: push(unicode),
  84: byteText(4),
  85: byteText(1),
  112: (pickle) => pickle.remember(memoIndex(pickle)),
  103: push((pickle) => pickle.recall(memoIndex(pickle))),
  80: push((pickle) => pickle.persistent(pickle.line())),
  105(pickle) {
    const type = nameOf(pickle, [pickle.line(), pickle.line()]);
    instance(pickle, type, pickle.popMark());
  },
  111(pickle) {
    const [type, ...args] = pickle.popMark();
    instance(pickle, type, args);
  },
};
