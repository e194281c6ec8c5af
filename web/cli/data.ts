// SPDX-License-Identifier: MIT
// The reader of data that is read as a whole: JSON, CSV, .npy and .npz.
import { isRecord } from '../src/base/json.js';
import { FormatError, ShapeError } from '../src/base/errors.js';
import { isNpy, readNpy } from '../src/formats/numpy/npy.js';
import { readNpz } from '../src/formats/numpy/npz.js';
import { decodeText } from '../src/formats/data/invalid_utf8.js';
import { Budget } from '../src/formats/open/budget.js';
import { parseJson } from '../src/formats/json_text.js';
import { isDigits } from '../src/base/numbered.js';
import {
  type PerName,
  type PlainArray,
  plainArray,
  type RecordedArray,
} from '../src/formats/verify/recorded.js';
import { readCsv } from './csv.js';

/** Rows of different lengths: numbers, or arrays of numbers. */
export interface Ragged {
  rows: readonly unknown[];
  /** Name of the file or input, for messages. */
  what: string;
}
export type Data = PlainArray | Ragged;

export interface DataOptions {
  /** Whether rows may differ in length. */
  ragged?: boolean;
  budget?: Budget;
}

const isShaped = (value: object): boolean => 'shape' in value && 'data' in value;

function arrayOf(value: unknown, what: string, ragged: boolean): Data {
  if (ragged && Array.isArray(value) && value.some(Array.isArray)) return { rows: value, what };
  try {
    return plainArray(value as RecordedArray, what);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new ShapeError(`${what}: ${error.message}, and so does --pad`);
  }
}

/** Reads a nested array, arrays by name, or the inputs of a recording. */
function fromJson(text: string, what: string, budget: Budget, ragged: boolean): PerName<Data> {
  const value = parseJson(text, what, budget);
  if (!isRecord(value) || isShaped(value)) return [arrayOf(value, what, ragged)];
  const inputs = (isRecord(value.inputs) || Array.isArray(value.inputs) ? value.inputs : value) as
    | { [name: string]: RecordedArray }
    | RecordedArray[];
  const plain = Object.entries(inputs).map(
    ([name, array]) => [name, arrayOf(array, `input '${name}' of ${what}`, ragged)] as const,
  );
  return Array.isArray(inputs) ? plain.map(([, array]) => array) : Object.fromEntries(plain);
}

function fromCsv(text: string, what: string, budget: Budget, ragged: boolean): Data {
  const { data, lengths } = readCsv(text, what, { budget, ragged });
  if (!ragged) return { shape: [lengths.length, lengths[0] ?? 0], dtype: 'float32', data };
  let end = 0;
  const rows = lengths.map((length) => {
    end += length;
    return data.slice(end - length, end);
  });
  return { rows, what };
}

/** Reads arrays by name; only those called `input_…`, if there are any, as in a recording. */
function fromNpz(bytes: Uint8Array, budget: Budget): PerName<PlainArray> {
  const arrays = [...readNpz(bytes, budget)];
  const inputs = arrays.filter(([name]) => name.startsWith('input_'));
  if (inputs.length === 0) {
    return arrays.length === 1 ? arrays.map(([, array]) => array) : Object.fromEntries(arrays);
  }
  const named = inputs.map(([name, array]) => [name.slice('input_'.length), array] as const);
  return named.every(([name]) => isDigits(name))
    ? named.sort(([a], [b]) => Number(a) - Number(b)).map(([, array]) => array)
    : Object.fromEntries(named);
}

/** Decodes the text of a file. FormatError if it is empty or not text. */
export function readText(bytes: Uint8Array, what: string, budget = Budget.ofData()): string {
  budget.spend('text', bytes.length, what);
  if (bytes.includes(0)) throw new FormatError(`${what} is neither UTF-8 text nor .npy or .npz`);
  const text = decodeText(bytes, what);
  if (text.trim() === '') throw new FormatError(`${what} is empty`);
  return text;
}

export const looksLikeJson = (text: string): boolean =>
  ['[', '{'].includes(text.trimStart().slice(0, 1));

/** Reads the inputs of a model from a file, whose format is detected from its content. */
export function readData(
  bytes: Uint8Array,
  what: string,
  { ragged = false, budget = Budget.ofData() }: DataOptions = {},
): PerName<Data> {
  if (isNpy(bytes)) return [readNpy(bytes, what, budget)];
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return fromNpz(bytes, budget);
  const text = readText(bytes, what, budget);
  return looksLikeJson(text)
    ? fromJson(text, what, budget, ragged)
    : [fromCsv(text, what, budget, ragged)];
}

/**
 * Reshapes the rows of a table for an input: [rows, columns] becomes [rows, steps, features] if the
 * columns are steps times features.
 */
export function fitShape(array: PlainArray, wanted: readonly (number | null)[]): PlainArray {
  const [rows = 0, columns = 0] = array.shape;
  if (array.shape.length !== 2 || wanted.length === 2) return array;
  if (wanted.length === 1 && columns === 1) return { ...array, shape: [rows] };
  if (wanted.length !== 3) return array;
  const [, steps = null, features = null] = wanted;
  const shape = [rows, steps ?? columns / (features ?? 1), features ?? columns / (steps ?? 1)];
  if (shape.every(Number.isInteger) && (shape[1] as number) * (shape[2] as number) === columns) {
    return { ...array, shape };
  }
  throw new ShapeError(
    `the rows have ${columns} columns, but the model accepts ${steps ?? 'any number of'} steps of ${features ?? 'any number of'} features`,
  );
}
