// SPDX-License-Identifier: MIT
import { extname } from 'node:path';
import { isNpy } from '../../src/formats/numpy/npy.js';
import type { ByteSource } from './byte_source.js';
import type { InputFormat } from './options.js';

/** Longest first line that decides between JSON and JSON lines. */
const kLongestLine = 2 ** 20;

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((character, i) => bytes[i] === character.charCodeAt(0));

/** True for bytes of the file format or of the stream format of Arrow. */
export const isArrow = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 'ARROW1') || startsWith(bytes, '\xff\xff\xff\xff');

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The first line with content, if other content follows it. */
const firstLine = /^\s*([^\s][^\n]*)\n\s*[^\s]/;

/** True if the first line is JSON by itself, and more follows. */
async function isJsonLines(source: ByteSource): Promise<boolean> {
  const decode = (head: Uint8Array): string => new TextDecoder().decode(head);
  const head = await source.peek(
    (bytes) => bytes.length > kLongestLine || firstLine.test(decode(bytes)),
  );
  const [, line] = firstLine.exec(decode(head)) ?? [];
  return line !== undefined && isJson(line);
}

interface Hints {
  path: string;
  /** True for a model that reads text. */
  isText: boolean;
  /** True if options of the command speak of columns, so that lines of text are a table. */
  hasColumns: boolean;
}

/** Detects the format of data from its content; the name decides where the content cannot. */
export async function detectFormat(
  source: ByteSource,
  { path, isText, hasColumns }: Hints,
): Promise<InputFormat> {
  const head = await source.peek((bytes) => /\S/.test(latin1(bytes)) && bytes.length >= 6);
  if (isNpy(head)) return 'npy';
  if (startsWith(head, 'PK')) return 'npz';
  if (isArrow(head)) return 'arrow';
  const ending = extname(path).toLowerCase();
  if (ending === '.jsonl' || ending === '.ndjson') return 'jsonl';
  const lines = isText && !hasColumns ? 'text' : 'csv';
  if (!/^\s*[[{]/.test(new TextDecoder().decode(head))) return lines;
  // A text may begin with a bracket, too.
  if (isText && ending !== '.json' && path !== '-') return lines;
  return (await isJsonLines(source)) ? 'jsonl' : 'json';
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
