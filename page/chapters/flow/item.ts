// SPDX-License-Identifier: MIT
// A layer of the shelf: its name, its text in both languages, its kinds of input and output, and
// the remedies if it loses the mask.

/** The value of each setting, by key. */
export type Chosen = { [key: string]: string };

/** The data between two layers. */
export interface Flowing {
  /**
   * `ids` is [batch, time], `steps` is [batch, time, features] and `vector` is [batch, features].
   */
  kind: 'ids' | 'steps' | 'vector';
  /** Number of steps. */
  steps: number;
}

/** The names and sizes that the text of a layer uses. */
export interface Place {
  /** The input variable. */
  x: string;
  /** The last variable that has the mask of these steps; '' if none has. */
  masked: string;
  flowing: Flowing;
  /** Number of ids. */
  vocabulary: number;
  /** Features of an embedding, units of a layer. */
  wide: { embedding: number; units: number };
  /** Whether the model's input is ids. */
  readsIds: boolean;
  settings: Chosen;
}

export interface Choice {
  value: string;
  /** Letter of this choice in the address, after the letter of the layer. */
  mark: string;
  label: string;
}

export interface Setting {
  label: string;
  choices: [Choice, ...Choice[]];
}

/** A button that changes the model so that the mask is not lost. */
export interface Remedy {
  label: string;
  /** Text beside the button. */
  why: string;
  change:
    | { kind: 'put back' }
    | { kind: 'replace'; by: ItemCode; marks?: string }
    | { kind: 'leave out' }
    | { kind: 'set'; key: string; to: string };
}

/** Letters that stand for the items in addresses (notation.ts). */
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
    | 'Passes it on'
    | 'Reads it'
    | 'Ignores it'
    | 'Plain operations'
    | 'Your own';
  /** Name of the layer on the shelf. */
  name: string;
  /** Name of the layer in the trace; '' if it has none there. */
  className: string;
  /** Returns the layer's name in the trace if it depends on the settings. */
  classNameFor?(settings: Chosen): string;
  settings?: { [key: string]: Setting };
  takes: 'ids' | 'steps' | 'numbers';
  gives(flowing: Flowing, settings: Chosen): Flowing;
  /** Returns the right side of `const x2 = …`. */
  js(place: Place): string;
  py(place: Place): string;
  /** It attaches a mask, which `maskIsOptional` ones only do with a setting. */
  attachesMask?: true;
  maskIsOptional?: true;
  /** Its effect on padded steps when no mask arrives, if that is worth a sentence. */
  withoutMask?: string;
  hasWeights?: true;
  /** Present if the layer has two results; the setting `part` chooses one. */
  several?: true;
  /** A class that the program needs. */
  class?(settings: Chosen, vocabulary: number): { js: string; py: string };
  /** Remedies if this layer loses the mask. */
  remedies?: Remedy[];
  /** Returns why the layer cannot be used here, before anything is computed; '' if it can. */
  objects?(flowing: Flowing): string;
}

export const putBack: Remedy = {
  label: 'Restore the mask',
  why: '`withMask` attaches the mask to the result again.',
  change: { kind: 'put back' },
};
