// SPDX-License-Identifier: MIT
// Detection of the format of data from its first bytes, for open_rows.ts.
import { extname } from 'node:path';
import { isNpy } from '../../src/formats/numpy/npy.js';
import type { ByteSource } from './byte_source.js';
import { isRecord } from '../../src/base/json.js';
import type { RowInput } from './model_input.js';
import type { InputFormat } from './options.js';

/** Length of the longest mark at the beginning of a binary format. */
const kLongestMark = 6;
const kLineFeed = 10;
/** Longest first line that decides between JSON and JSON lines. */
const kLongestLine = 2 ** 20;

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((character, i) => bytes[i] === character.charCodeAt(0));

/** True for bytes of the file format or of the stream format of Arrow. */
export const isArrow = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 'ARROW1') || startsWith(bytes, '\xff\xff\xff\xff');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first line with content, and the content after it. */
const firstLine = /^\s*([^\s][^\n]*)(?:\n\s*([^\s])?|$)/;

/** Depth of nested arrays, by the first items; null if the innermost one is no plain value. */
function depthOf(value: unknown): number | null {
  let depth = 0;
  let item = value;
  for (; Array.isArray(item); item = item[0]) depth++;
  return ['number', 'boolean', 'string'].includes(typeof item) ? depth : null;
}

/** True for a value that is one row of an input; a batch of rows has one level more. */
function isRow(value: unknown, { shape, isText }: RowInput): boolean {
  const depth = depthOf(value);
  if (depth === null) return false;
  if (isText) return depth === 0 && typeof value === 'string';
  if (depth === 0) return typeof value === 'number';
  // A table, too, may be the batch of a model that accepts steps with features.
  const [, , features] = shape;
  if (shape.length === 3 && depth === 2) {
    return features === null || (value as unknown[][])[0]?.length === features;
  }
  return depth < shape.length;
}

/** True for the JSON of a row: an array for one input, or an object with a row for each. */
function isRowOfModel(value: unknown, inputs: readonly RowInput[]): boolean {
  const [input] = inputs;
  if (!isRecord(value)) return inputs.length === 1 && isRow(value, input as RowInput);
  if ('shape' in value && 'data' in value) return false;
  const named = inputs.filter(({ name }) => Object.hasOwn(value, name));
  if (named.length > 0) return named.every((each) => isRow(value[each.name], each));
  const usual = value['input'] ?? value['inputs'];
  if (usual !== undefined) return inputs.length === 1 && isRow(usual, input as RowInput);
  // A batch of inputs has arrays only.
  return Object.values(value).some(
    (item) => !Array.isArray(item) || isRow(item, input as RowInput),
  );
}

/** True if the first line is JSON by itself, and is a row or has content after it. */
async function isJsonLines(
  source: ByteSource,
  decode: (head: Uint8Array) => string,
  isAlone: (value: unknown) => boolean,
): Promise<boolean> {
  let isLine: boolean | undefined;
  const decide = (text: string, isEnd: boolean): boolean | undefined => {
    const [, line, next] = firstLine.exec(text) ?? [];
    if (line === undefined || (!text.includes('\n', text.indexOf(line)) && !isEnd))
      return undefined;
    const value = parsed(line);
    if (value === undefined) return isEnd || next !== undefined ? false : undefined;
    return next !== undefined || isAlone(value) ? true : isEnd ? false : undefined;
  };
  const head = await source.peek((bytes) => {
    if (bytes.length > kLongestLine) return true;
    isLine = decide(decode(bytes), false);
    return isLine !== undefined;
  });
  return isLine ?? decide(decode(head), head.length <= kLongestLine) ?? false;
}

interface Hints {
  path: string;
  /** True for a model that reads text. */
  isText: boolean;
  /** True if options of the command speak of columns, so that lines of text are a table. */
  hasColumns: boolean;
  /** The encoding of text. */
  encoding: string;
  inputs: readonly RowInput[];
}

/** Detects the format of data from its content; the name decides where the content cannot. */
export async function detectFormat(
  source: ByteSource,
  { path, isText, hasColumns, encoding, inputs }: Hints,
): Promise<InputFormat> {
  const isEnough = (bytes: Uint8Array): boolean =>
    bytes.length >= kLongestMark || bytes.includes(kLineFeed);
  const head = await source.peek((bytes) => /\S/.test(latin1(bytes)) && isEnough(bytes));
  if (isNpy(head)) return 'npy';
  if (startsWith(head, 'PK')) return 'npz';
  if (isArrow(head)) return 'arrow';
  const ending = extname(path).toLowerCase();
  if (ending === '.jsonl' || ending === '.ndjson') return 'jsonl';
  const lines = isText && !hasColumns ? 'text' : 'csv';
  const decode = (bytes: Uint8Array): string => new TextDecoder(encoding).decode(bytes);
  const [first] = /[[{]|\S/.exec(decode(head)) ?? [];
  if (first !== '[' && first !== '{') return lines;
  // A text may begin with a bracket, too.
  if (isText && ending !== '.json' && path !== '-') return lines;
  const isAlone = (value: unknown): boolean =>
    hasColumns ? isRecord(value) : isRowOfModel(value, inputs);
  return (await isJsonLines(source, decode, isAlone)) ? 'jsonl' : 'json';
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
