// SPDX-License-Identifier: MIT
// The batch that chapters share: the sentences of chapter 1 and how they are padded. A chapter may pin the one it has.
import type { Settings } from './settings.js';
import { literal, options } from './text.js';
import { idOf, tokenize } from './vocabulary.js';

export interface Batch {
  /** Words of each row before padding. */
  words: string[][];
  /** Their ids. */
  sequences: number[][];
  options: { padding: 'pre' | 'post'; truncating: 'pre' | 'post'; maxlen?: number; value?: number };
  /** What was cut off what was typed, and why; '' for nothing. */
  note: string;
}

/** What the page takes; more is cut off, and said. */
export const most = { rows: 12, words: 40, steps: 60, letters: 24 } as const;

export function batchOf(settings: Settings): Batch {
  const { rows, note } = sentencesOf(settings.text('text'));
  const side = (name: string) => (settings.text(name) === 'post' ? 'post' : 'pre');
  const maxlen = settings.integer('maxlen', 1, most.steps);
  const value = settings.number('value');
  return {
    words: rows,
    sequences: rows.map((words) => words.map(idOf)),
    options: {
      padding: side('padding'),
      truncating: side('truncating'),
      ...(maxlen !== undefined && { maxlen }),
      ...(value !== undefined && value !== 0 && Number.isFinite(value) && { value }),
    },
    note,
  };
}

function sentencesOf(text: string): { rows: string[][]; note: string } {
  const lines = text.split('\n').map((line) => tokenize(line).map((word) => clip(word)));
  const full = lines.filter((words) => words.length > 0);
  const rows = full.slice(0, most.rows).map((words) => words.slice(0, most.words));
  const notes = [];
  if (full.length > most.rows) notes.push(`only the first ${most.rows} rows are taken`);
  if (full.some((words) => words.length > most.words))
    notes.push(`only the first ${most.words} words of a row`);
  return { rows, note: notes.length > 0 ? `This page is small: ${notes.join(', and ')}.` : '' };
}

const clip = (word: string): string => {
  const letters = [...word];
  return letters.length > most.letters ? `${letters.slice(0, most.letters).join('')}…` : word;
};

/** How many steps the rows have after padding. */
export const stepsOf = ({ sequences, options: { maxlen } }: Batch): number =>
  maxlen ?? Math.max(0, ...sequences.map((row) => row.length));

/** `padSequences([…], { … })`, as it stands in every chapter's program. */
export function padCall({ sequences, options: given }: Batch): string {
  const settings = options({
    padding: given.padding === 'pre' ? undefined : given.padding,
    truncating: given.truncating === 'pre' ? undefined : given.truncating,
    maxlen: given.maxlen,
    value: given.value,
  });
  return `padSequences(${literal(sequences)}${settings && `, ${settings}`})`;
}

/** Which word of its row stands in each cell after padding; -1 for padding. The same rule as padSequences. */
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
