// SPDX-License-Identifier: MIT
import type { Settings } from '../shared/settings.js';
import type { Nested } from '../shared/text.js';

/** What one of the trained models is asked: one row, with and without appended padding. */
export interface Asked {
  /** The row as the model gets it. */
  row: Nested[];
  /** Without the padding that was appended; null where the model takes one length only. */
  bare: Nested[] | null;
  dtype: 'int32' | 'float32';
}

/** An answer as words and as the numbers they come from. */
export interface Answer {
  words: string;
  numbers: number[];
}

/** An input with what Python answered, rounded to six digits. */
export interface Recorded extends Answer {
  /** The same text as in the control. */
  text: string;
  /** Short enough for a list. */
  label: string;
}

export interface Task {
  /** What the numbers of an answer are. */
  unit: string;
  /** Whether its words say more than the numbers do. */
  inWords: boolean;
  /** The layers from input to output, for a run without masks. */
  path: string[];
  /** Says in words what cannot be asked. */
  ask(text: string, more: number): Asked;
  /** From one row of the output, as it lies in memory. */
  read(output: number[]): Answer;
  /** The examples in the file of what Python recorded. */
  records(notes: unknown): Recorded[];
  random(): string;
  /** The answer as a sentence. */
  sentence(answer: Answer, settings: Settings): string;
  /** The input for the eye, with the answer where that belongs in it. */
  draw(text: string, more: number, answer: Answer): HTMLElement;
  /** The same as numbers, where the picture shows none. */
  table?(text: string, more: number): HTMLElement;
}
