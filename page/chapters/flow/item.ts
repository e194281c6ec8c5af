// SPDX-License-Identifier: MIT
// What the shelf knows about one layer: its name, its text in both languages, what it takes and
// what it gives, and what to do where it loses the mask.

/** The value of each setting, by key. */
export type Chosen = { [key: string]: string };

/** What goes from one layer to the next. */
export interface Flowing {
  /**
   * Word ids [batch, time]; numbers for each step [batch, time, features]; one row of numbers for
   * each row [batch, features].
   */
  kind: 'ids' | 'steps' | 'vector';
  /** How many steps, as far as they matter. */
  steps: number;
}

/** What the text of a layer may refer to. */
export interface Place {
  /** The variable that it takes. */
  x: string;
  /** The last variable that has the mask of these steps; '' when there is none. */
  masked: string;
  flowing: Flowing;
  /** How many words there are. */
  vocabulary: number;
  /** Features of an embedding, units of a layer. */
  wide: { embedding: number; units: number };
  /** Whether the model's input is ids. */
  readsIds: boolean;
  settings: Chosen;
}

export interface Choice {
  value: string;
  /** In the address, behind the layer's letter. */
  mark: string;
  label: string;
}

export interface Setting {
  label: string;
  choices: [Choice, ...Choice[]];
}

/** A button that changes the model where the mask was lost. */
export interface Remedy {
  label: string;
  /** Told beside the button. */
  why: string;
  change:
    | { kind: 'put back' }
    | { kind: 'replace'; by: ItemCode; marks?: string }
    | { kind: 'leave out' }
    | { kind: 'set'; key: string; to: string };
}

export type ItemCode =
  | 'e'
  | 'k'
  | 'c'
  | 'd'
  | 'o'
  | 'j'
  | 'h'
  | 'l'
  | 'g'
  | 'r'
  | 'b'
  | 'v'
  | 'y'
  | 'x'
  | 'i'
  | 'p'
  | 't'
  | 'z'
  | 'w'
  | 'a'
  | 's'
  | 'q';

export interface Item {
  code: ItemCode;
  group:
    | 'Makes a mask'
    | 'Hands it on'
    | 'Reads it'
    | 'Knows no mask'
    | 'Plain operations'
    | 'Your own';
  /** Its name on the shelf. */
  name: string;
  /** Its name in the trace; '' for what leaves none there. */
  className: string;
  /** The same, where its settings make another class of it. */
  classNameFor?(settings: Chosen): string;
  settings?: { [key: string]: Setting };
  takes: 'ids' | 'steps' | 'numbers';
  gives(flowing: Flowing, settings: Chosen): Flowing;
  /** The right side of `const x2 = …`. */
  js(place: Place): string;
  py(place: Place): string;
  /** It has two results; the setting `part` says which one goes on. */
  several?: true;
  /** A class that the program needs. */
  class?(settings: Chosen, vocabulary: number): { js: string; py: string };
  /** What to do where this layer loses the mask. */
  remedies?: Remedy[];
  /** What there is to say of it in this place, before anything is computed; '' for nothing. */
  objects?(flowing: Flowing): string;
}

export const putBack: Remedy = {
  label: 'Put the mask back',
  why: '`withMask` hangs the mask on the result again.',
  change: { kind: 'put back' },
};
