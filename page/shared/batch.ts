// SPDX-License-Identifier: MIT
// The batch that chapters share: the sentences of chapter 2 and how they are padded. A chapter may
// pin its current batch.
import { Advice } from './advice.js';
import type { Settings } from './settings.js';
import { literal, options, pyLiteral } from './text.js';
import { idOf, signsOf, tokenize, vocabularySize } from './vocabulary.js';

export interface Batch {
  /** Words of each row before padding. */
  words: string[][];
  /** Ids of the words. */
  sequences: number[][];
  options: { padding: 'pre' | 'post'; truncating: 'pre' | 'post'; maxlen?: number; value?: number };
  /** Says which part of the input was ignored, and why; '' for none. */
  note: string;
  /** Says why the Embedding does not accept this batch; '' if it does. */
  trouble: string;
}

/** Limits of the input; the note of the batch says what was cut off. */
export const limits = { rows: 12, words: 40, steps: 60, letters: 24 } as const;

export function batchOf(settings: Settings): Batch {
  const { rows, notes } = sentencesOf(settings.text('text'));
  const side = (name: string) => (settings.text(name) === 'post' ? 'post' : 'pre');
  const typed = settings.number('maxlen');
  const maxlen = settings.integer('maxlen', 1, limits.steps);
  if (maxlen !== undefined && maxlen !== typed)
    notes.push(`maxlen is ${maxlen} here, not ${typed}: an integer from 1 to ${limits.steps}.`);
  const value = settings.number('value') ?? 0;
  return {
    words: rows,
    sequences: rows.map((words) => words.map(idOf)),
    options: {
      padding: side('padding'),
      truncating: side('truncating'),
      ...(maxlen !== undefined && { maxlen }),
      ...(value !== 0 && { value }),
    },
    note: notes.join(' '),
    trouble: troubleOf(rows, value),
  };
}

interface Sentences {
  rows: string[][];
  notes: string[];
}

/** The sentences of the last text: each change of any chapter reads the batch again. */
let last: { text: string; sentences: Sentences } | undefined;

function sentencesOf(text: string): Sentences {
  if (last?.text !== text) last = { text, sentences: split(text) };
  const { rows, notes } = last.sentences;
  return { rows, notes: [...notes] };
}

function split(text: string): Sentences {
  const lines = text.split('\n').map((line) => tokenize(line).map(clip));
  const full = lines.filter((words) => words.length > 0);
  const rows = full.slice(0, limits.rows).map((words) => words.slice(0, limits.words));
  const notes = [];
  if (full.length > limits.rows) notes.push(`Only the first ${limits.rows} rows are used.`);
  if (full.some((words) => words.length > limits.words))
    notes.push(`Only the first ${limits.words} words of a row are used.`);
  return { rows, notes };
}

/** Whether padSequences can write a value into int32. */
export const fitsInt32 = (value: number): boolean => Math.trunc(value) === (value | 0);

function troubleOf(rows: string[][], value: number): string {
  if (rows.length === 0) return 'The batch has no words. Type a sentence in chapter 2.';
  if (!fitsInt32(value))
    return `The batch pads with ${value}, which is not an id. Choose another \`value\` in chapter 2.`;
  const id = Math.trunc(value);
  if (id < -vocabularySize || id >= vocabularySize)
    return `The batch pads with ${id}, but the Embedding here only has ids below ${vocabularySize}. Choose another \`value\` in chapter 2.`;
  return '';
}

function clip(word: string): string {
  const letters = signsOf(word);
  const short = letters.slice(0, limits.letters).join('');
  // Limits the code points first, because a letter may carry any number of marks.
  const bounded = [...short].slice(0, 4 * limits.letters).join('');
  return bounded === word ? word : `${bounded}…`;
}

/** Number of steps of each row after padding. */
export const stepsOf = ({ sequences, options: { maxlen } }: Batch): number =>
  maxlen ?? Math.max(0, ...sequences.map((row) => row.length));

/**
 * Returns `padSequences([…], { … })` for a chapter's program. Throws `Advice` if the Embedding does
 * not accept the batch.
 */
export function padCall(batch: Batch): string {
  if (batch.trouble) throw new Advice(batch.trouble);
  return padLine(batch);
}

/**
 * Returns `padSequences([…], { … })` for any padding value; one that is not an int32 gets a dtype.
 */
export function padLine(batch: Batch, rows = literal(batch.sequences)): string {
  const settings = options(padOptions(batch));
  return `padSequences(${rows}${settings && `, ${settings}`})`;
}

/** Returns the call of `pad_sequences` in Python. */
export function padLinePython(batch: Batch, rows = pyLiteral(batch.sequences)): string {
  const settings = Object.entries(padOptions(batch))
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `, ${name}=${typeof value === 'string' ? `"${value}"` : pyNumber(value)}`,
    );
  return `keras.utils.pad_sequences(${rows}${settings.join('')})`;
}

const pyNumber = (value: number | undefined): string =>
  Number.isFinite(value)
    ? String(value)
    : `float("${String(value).replace('Infinity', 'inf').toLowerCase()}")`;

/** Options of padSequences that differ from their defaults; the others are undefined. */
export const padOptions = ({ options: given }: Batch) => ({
  padding: given.padding === 'pre' ? undefined : given.padding,
  truncating: given.truncating === 'pre' ? undefined : given.truncating,
  maxlen: given.maxlen,
  value: given.value,
  dtype: fitsInt32(given.value ?? 0) ? undefined : 'float32',
});

/** Index of the word in each cell after padding, by the rules of padSequences; -1 for padding. */
export function places(batch: Batch): number[][] {
  const steps = stepsOf(batch);
  const { padding, truncating } = batch.options;
  return batch.sequences.map((row) => {
    const indices = row.map((_, index) => index);
    const kept = truncating === 'pre' ? indices.slice(-steps) : indices.slice(0, steps);
    const holes = Array<number>(steps - kept.length).fill(-1);
    return padding === 'pre' ? [...holes, ...kept] : [...kept, ...holes];
  });
}

/** The word in each cell after padding; '' for padding. */
export const wordsInCells = (batch: Batch): string[][] =>
  places(batch).map((row, b) => row.map((index) => batch.words[b]?.[index] ?? ''));
