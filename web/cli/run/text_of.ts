// SPDX-License-Identifier: MIT
// Decoding of text piece by piece, for the readers of CSV, JSON lines and texts.
import { FormatError } from '../../src/base/errors.js';
import { lineOfInvalid } from '../../src/formats/data/invalid_utf8.js';
import type { Start } from './rows.js';

const kLineFeed = 10;

function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === kLineFeed) count++;
  return count;
}

/**
 * Decodes text piece by piece. FormatError if it is empty or not text, or has bytes that the
 * encoding lacks: replaced, they could make two keys the same. With `start`, the text is a part of
 * a file, which may be empty.
 */
export async function* textOf(
  source: AsyncIterable<Uint8Array>,
  what: string,
  encoding: string,
  start?: Start,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: start !== undefined });
  let isEmpty = start === undefined;
  let lines = start?.line ?? 0;
  let last: Uint8Array = new Uint8Array(0);
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      const both = Buffer.concat([last.subarray(-4), chunk ?? new Uint8Array(0)]);
      const inBoth = encoding === 'utf-8' ? lineOfInvalid(both) : 1;
      throw wrongBytes(what, encoding, lines - lineFeedsIn(last.subarray(-4)) + inBoth);
    }
  };
  for await (const chunk of source) {
    const text = decode(chunk);
    if (text.includes('\0')) {
      throw new FormatError(
        `${what} is neither UTF-8 text nor .npy or .npz; for UTF-16, use --encoding utf-16le`,
      );
    }
    isEmpty &&= text.trim() === '';
    lines += lineFeedsIn(chunk);
    last = chunk;
    yield text;
  }
  const rest = decode();
  if (isEmpty && rest.trim() === '') throw new FormatError(`${what} is empty`);
  if (rest !== '') yield rest;
}

const wrongBytes = (what: string, encoding: string, line: number): FormatError =>
  new FormatError(
    `line ${line} of ${what} is not valid ${encoding.toUpperCase()}; name its encoding, for example --encoding latin1`,
  );
