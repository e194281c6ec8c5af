// SPDX-License-Identifier: MIT
/** The batch of panel 1, which every later panel works on. */
export interface Batch {
  /** Words of each row before padding. */
  words: string[][];
  /** Their ids. */
  sequences: number[][];
  /** padSequences(sequences, options) */
  ids: number[][];
  /** For each cell of `ids` the word's place in its row, or -1 for padding. */
  origin: number[][];
  options: { padding: 'pre' | 'post'; truncating: 'pre' | 'post'; maxlen?: number; value?: number };
}

export const steps = (batch: Batch): number => batch.ids[0]?.length ?? 0;

/** The word in a cell, or '' for padding. */
export function wordAt(batch: Batch, row: number, step: number): string {
  return batch.words[row]?.[batch.origin[row]?.[step] ?? -1] ?? '';
}

type Listener = (batch: Batch) => void;
const listeners: Listener[] = [];

export function setBatch(batch: Batch): void {
  for (const listener of listeners) listener(batch);
}

/** Called at every change. */
export function onBatch(listener: Listener): void {
  listeners.push(listener);
}

/** The ids with columns of 0 appended, which a mask should make no difference. */
export const lengthened = (batch: Batch, columns: number): number[][] =>
  batch.ids.map((row) => [...row, ...Array<number>(columns).fill(0)]);
