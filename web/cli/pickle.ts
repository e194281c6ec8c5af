// SPDX-License-Identifier: MIT
// Pickles: `info` shows what is inside, and a program to start from.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { visible } from '../src/base/visible.js';
import { isRecord } from '../src/base/json.js';
import { Tensor } from '../src/index.js';
import { readPickle } from './read_pickle.js';
import { LabelEncoder } from '../src/text/label_encoder.js';
import { Tokenizer } from '../src/text/tokenizer.js';
import { Scaler } from '../src/text/scaler.js';
import { readBytes, sizeText } from './files.js';
import { jsonText, print } from './print.js';

/** Most entries of a dictionary or a list that are shown, and the deepest level. */
const kMax = 20;
const kDeepest = 2;

const counted = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? '' : word.endsWith('s') ? 'es' : 's'}`;

/** Describes an object of a class with a meaning; undefined for other values. */
function meaningOf(value: unknown): string | undefined {
  if (value instanceof Tokenizer) {
    const { numWords, oovToken, wordIndex } = value;
    const settings = `numWords ${numWords}, oovToken ${oovToken === null ? null : `'${oovToken}'`}`;
    return `Tokenizer of Keras: ${counted(Object.keys(wordIndex).length, 'word')}, ${settings}`;
  }
  if (value instanceof Scaler) return `${value.className}: ${counted(value.columns, 'column')}`;
  if (!(value instanceof LabelEncoder)) return undefined;
  const names = value.classes.slice(0, kMax).join(', ');
  return `LabelEncoder: ${counted(value.classes.length, 'class')}: ${names}`;
}

/** Describes a value in a few words. */
function textOf(value: unknown): string {
  const meaning = meaningOf(value);
  if (meaning !== undefined) return meaning;
  if (value instanceof Tensor) return `array [${value.shape}], ${value.dtype}`;
  if (value instanceof Uint8Array) return counted(value.length, 'byte');
  if (Array.isArray(value)) return `list of ${counted(value.length, 'item')}`;
  if (value instanceof Map) return `dictionary of ${counted(value.size, 'item')}`;
  if (!isRecord(value))
    return typeof value === 'string' ? `'${value.slice(0, 60)}'` : String(value);
  if (typeof value['class'] === 'string') return value['class'];
  if (typeof value['name'] === 'string' && Object.keys(value).length === 1) return value['name'];
  return `dictionary of ${counted(Object.keys(value).length, 'item')}`;
}

/** The values inside of a value, by name. */
function partsOf(value: unknown): [string, unknown][] {
  if (meaningOf(value) !== undefined || value instanceof Tensor || ArrayBuffer.isView(value))
    return [];
  if (value instanceof Map) return [...value].map(([key, item]) => [textOf(key), item]);
  if (Array.isArray(value)) return value.map((item, i) => [String(i), item]);
  if (!isRecord(value)) return [];
  return Object.entries(typeof value['class'] === 'string' ? Object(value['fields']) : value);
}

function linesOf(value: unknown, level: number): string[] {
  if (level > kDeepest) return [];
  const parts = partsOf(value);
  const indent = '  '.repeat(level);
  const lines = parts
    .slice(0, kMax)
    .flatMap(([name, item]) => [`${indent}${name}: ${textOf(item)}`, ...linesOf(item, level + 1)]);
  return parts.length > kMax ? [...lines, `${indent}… ${parts.length - kMax} more`] : lines;
}

/** The program for a value of a class with a meaning. */
function programOf(path: string, value: unknown): string | undefined {
  const file = JSON.stringify(basename(path));
  const begin = (name: string): string =>
    `import { readPickle } from 'maskflow/text';\n\nconst ${name} = await readPickle(${file});`;
  if (value instanceof Tokenizer) {
    return [
      "import { padSequences, ready } from 'maskflow';",
      begin('tokenizer'),
      'await ready();',
      '// Use the maxlen, padding and truncating of the Python program.',
      "const ids = padSequences(tokenizer.textsToSequences(['a text']), { maxlen: 100 });",
    ].join('\n');
  }
  if (value instanceof Scaler) {
    const row = Array(value.columns || 1).fill(0);
    return `${begin('scaler')}\nconst x = scaler.transform([[${row.join(', ')}]]); // and scaler.inverseTransform(y)`;
  }
  if (!(value instanceof LabelEncoder)) return undefined;
  return `${begin('encoder')}\nconst labels = encoder.inverseTransform([0]); // the position of the largest output`;
}

/** Returns whether the file is a pickle without a model of Keras, and reads it. */
async function pickleIn(path: string): Promise<{ value: unknown } | undefined> {
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return undefined;
  if (statSync(path).isDirectory()) return undefined;
  const [first = 0, second = 0] = readBytes(path);
  const isPickle = first === 0x80 ? second >= 2 && second <= 5 : first === 0x78 || first === 0x1f;
  if (!isPickle && !/\.(pkl|pickle|joblib|sav)$/i.test(path)) return undefined;
  return { value: await readPickle(path) };
}

/** Returns whether bytes are a whole model: an archive of zip or tar, or an HDF5 file. */
function isModelFile(bytes: ArrayLike<number>): boolean {
  const text = (from: number, length: number): string =>
    String.fromCharCode(...Array.from({ length }, (_, i) => bytes[from + i] ?? 0));
  return text(0, 2) === 'PK' || text(1, 3) === 'HDF' || text(257, 5) === 'ustar';
}

/** Returns whether a value contains a whole model, which `info` describes as any other. */
function hasModel(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (value instanceof Uint8Array) return isModelFile(value);
  if (value instanceof Tensor) return value.shape.length === 1 && isModelFile(value.data());
  if ('model_config' in value && 'model_weights' in value) return true;
  const all = value instanceof Map ? [...value].flat() : Object.values(value);
  return all.some((item) => hasModel(item, seen));
}

/** Prints what is inside of a pickle. Returns false for other files, and for a pickled model. */
export async function describePickle(path: string, json: boolean): Promise<boolean> {
  const read = await pickleIn(path);
  if (!read || hasModel(read.value)) return false;
  const { value } = read;
  const bytes = readBytes(path).length;
  const lines = linesOf(value, 1);
  if (json) {
    print(jsonText({ file: path, bytes, content: textOf(value), lines }));
    return true;
  }
  print(visible(`${path}, ${sizeText(bytes)}, pickle`));
  print([textOf(value), ...lines].map(visible).join('\n'));
  const program = programOf(path, value);
  if (program !== undefined) print(`\n${program}`);
  return true;
}
