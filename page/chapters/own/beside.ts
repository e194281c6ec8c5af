// SPDX-License-Identifier: MIT
// Files beside a model: a tokenizer and a scaler, which the program applies to what is typed.
import type { Scaler, Tokenizer } from 'maskflow/text';
import { count, literal, type Nested } from '../../shared/text.js';
import type { Beside, InputFacts, ScaleFacts, TextFacts } from './facts.js';

/** Lines of a program that read the files beside the model. */
export const readingLines = [
  'const read = async (file) =>',
  '  /\\.json$/i.test(file.name) ? Tokenizer.fromJSON(await file.text()) : readPickle(await file.arrayBuffer());',
  'const beside = await Promise.all(given.beside.map(read));',
  'const tokenizer = beside.find((each) => each?.textsToSequences);',
  'const scaler = beside.find((each) => each?.inverseTransform && each.columns > 0);',
];

/** The import of a program that reads such files. */
export const readingImport = "import { readPickle, Tokenizer } from 'maskflow/text';\n";

const isIds = ({ ids, shape }: InputFacts): boolean => ids !== undefined && shape.length === 2;

/** Returns what the files beside a model do to its inputs. */
export function besideOf(
  tokenizer: Tokenizer | undefined,
  scaler: Scaler | undefined,
  inputs: readonly InputFacts[],
): Beside {
  const notes: string[] = [];
  const text = tokenizer && textOf(tokenizer, inputs);
  if (tokenizer && !text)
    notes.push('The tokenizer is not applied, because no input of the model expects ids.');
  const scale = scaler && scaleOf(scaler, inputs);
  if (scaler && !scale)
    notes.push(
      `The ${scaler.className} is not applied: it has ${count(scaler.columns, 'column')}, and no input of the model has as many features.`,
    );
  if (!tokenizer && !scaler)
    notes.push('The other files hold neither a Tokenizer of Keras nor a scaler of scikit-learn.');
  return { ...(text && { text }), ...(scale && { scale }), notes };
}

function textOf(tokenizer: Tokenizer, inputs: readonly InputFacts[]): TextFacts | undefined {
  const input = inputs.findIndex(isIds);
  if (input < 0) return undefined;
  const words = Object.keys(tokenizer.wordIndex);
  const known = words.filter((word) => word !== tokenizer.oovToken);
  return { input, words: words.length, sample: known.slice(0, 4).join(' ') };
}

function scaleOf(scaler: Scaler, inputs: readonly InputFacts[]): ScaleFacts | undefined {
  const { columns, className } = scaler;
  const input = inputs.findIndex((each) => !isIds(each) && each.shape.at(-1) === columns);
  if (input < 0) return undefined;
  const [zero = [], one = []] = scaler.inverseTransform([
    Array<number>(columns).fill(0),
    Array<number>(columns).fill(1),
  ]);
  return { input, className, zero, one };
}

/** Returns raw numbers that the scaler maps to these. */
export function unscaled(value: Nested, { zero, one }: ScaleFacts, column = 0): Nested {
  if (Array.isArray(value))
    return value.map((each, i) => unscaled(each, { zero, one } as ScaleFacts, i));
  const [low = 0, high = 1] = [zero[column], one[column]];
  return Number((low + Number(value) * (high - low)).toPrecision(4));
}

/** Returns the expression of a program for the ids of texts; `length` is that of the model. */
export function idsText(texts: readonly string[], length: number | undefined): string {
  const listed = `[${texts.map((each) => JSON.stringify(each)).join(', ')}]`;
  const ids = `tokenizer.textsToSequences(${listed}).map((row) => (row.length > 0 ? row : [0]))`;
  return `padSequences(${ids}${length === undefined ? '' : `, { maxlen: ${length} }`}).array()`;
}

/** Returns the expression of a program for scaled numbers. */
export const scaledText = (value: Nested): string => `scaler.transform(${literal(value)})`;

/** Returns the sentences about what is applied to the typed input. */
export function appliedTo({ text, scale, notes }: Beside, length: number | undefined): string {
  const fixed = length === undefined ? '' : `, ${length} of them, filled up with 0 in front`;
  return [
    ...(text
      ? [`The Tokenizer (${count(text.words, 'word')}) turns your text into ids${fixed}.`]
      : []),
    ...(scale
      ? [`The ${scale.className} scales your raw numbers (${count(scale.zero.length, 'column')}).`]
      : []),
    ...notes,
  ].join(' ');
}
