// SPDX-License-Identifier: MIT
// The reader of texts, for models that begin with layers that read text.
import { FormatError, MaskflowError } from '../src/base/errors.js';
import { Budget } from '../src/formats/open/budget.js';
import { parseJson } from '../src/formats/json_text.js';
import { looksLikeJson, readText } from './data.js';

/** Rows of one input of a model that reads text: only texts, or only numbers. */
export type TextRows = readonly unknown[];
export type TextData = TextRows[] | { [name: string]: TextRows };

const hasText = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasText) : typeof value === 'string';

function rowsOf(value: unknown, what: string): TextRows {
  if (Array.isArray(value)) return value;
  throw new FormatError(`${what} must be an array of texts`);
}

function fromJson(value: unknown, what: string): TextData {
  if (Array.isArray(value)) return [value];
  const { inputs = value } = value as { inputs?: unknown };
  if (Array.isArray(inputs))
    return inputs.map((input, i) => rowsOf(input, `input ${i} of ${what}`));
  return Object.fromEntries(
    Object.entries(inputs as object).map(([name, input]) => [
      name,
      rowsOf(input, `input '${name}' of ${what}`),
    ]),
  );
}

/** Reads each line as a row with one text, as in Keras. Empty lines in between are rows, too. */
function fromLines(text: string): TextData {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return [lines.map((line) => [line])];
}

/**
 * Parses a file called .json, and standard input if it is JSON: a text may begin with a bracket.
 */
function jsonOf(text: string, path: string, what: string): unknown {
  const isNamed = path.toLowerCase().endsWith('.json');
  if (!isNamed && (path !== '-' || !looksLikeJson(text))) return undefined;
  try {
    return parseJson(text, what, Budget.ofData());
  } catch (error) {
    if (isNamed || !(error instanceof MaskflowError)) throw error;
    return undefined;
  }
}

/** Reads data for a model that reads text. FormatError if it contains no text. */
export function readTexts(bytes: Uint8Array, path: string, what: string): TextData {
  const text = readText(bytes, what);
  const json = jsonOf(text, path, what);
  if (typeof json !== 'object' || json === null) return fromLines(text);
  const data = fromJson(json, what);
  if (Object.values(data).some(hasText)) return data;
  throw new FormatError(`the model reads text, but ${what} has none`);
}
