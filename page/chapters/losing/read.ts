// SPDX-License-Identifier: MIT
// The data of the chapter "losing", whose form depends on the case.
import type { Reader, Values } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';
import { nested } from '../../shared/values.js';

/** A batch of which a program has the ids, and the mask as 1 and 0 or as booleans. */
interface Masked {
  mask: boolean[][];
}

export interface Attention extends Masked {
  case: 'attention';
  /** Scores [batch, queries, keys] of the only head. */
  masked: number[][][];
  bare: number[][][];
}

export interface Loss extends Masked {
  case: 'loss';
  each: number[][];
  /** Labels and predictions of each step, if the program has them. */
  labels?: number[][][];
  predictions?: number[][][];
  masked: number;
  bare: number;
}

export interface Side {
  padding: string;
  ids: number[][];
  mask: boolean[][];
  positions: number[][];
}

export interface Decoder {
  case: 'decoder';
  sides: Side[];
  apart: number;
}

export interface Packed extends Masked {
  case: 'packed';
  ids: number[][];
  order: number[];
  batchSizes: number[];
  apart: number;
}

/** A layer, its largest change, and the two numbers that it is the difference of. */
export type Change = [name: string, change: number, before?: number, after?: number];

export interface Care {
  case: 'care';
  changes: Change[];
}

export type LosingData = Attention | Loss | Decoder | Packed | Care;

const booleans = (value: unknown): boolean[][] =>
  nested<unknown[][]>(value, 'mask', 2).map((row) => row.map(Boolean));

/** Returns the scores of the first head. */
const headOf = (value: unknown, name: string): number[][][] =>
  nested<number[][][][]>(value, name, 4).map(([head]) => head ?? []);

export const losing: Reader = {
  names: [
    'ids',
    'mask',
    'masked',
    'bare',
    'each',
    'yTrue',
    'yPred',
    'sides',
    'apart',
    'order',
    'batchSizes',
    'changes',
  ],
  read(values): LosingData {
    if (values['changes'] !== undefined) return careOf(values);
    if (Array.isArray(values['sides'])) return decoderOf(values);
    if (Array.isArray(values['batchSizes'])) return packedOf(values);
    const { mask, masked, bare, each } = values;
    if (each !== undefined) {
      return {
        case: 'loss',
        mask: booleans(mask),
        each: nested(each, 'each', 2),
        ...(values['yTrue'] !== undefined &&
          values['yPred'] !== undefined && {
            labels: nested<number[][][]>(values['yTrue'], 'yTrue', 3),
            predictions: nested<number[][][]>(values['yPred'], 'yPred', 3),
          }),
        masked: Number(masked),
        bare: Number(bare),
      };
    }
    if (masked === undefined)
      throw new Advice(
        'The figure draws `masked` and `bare` (scores, or a loss with `each`), `sides`, `batchSizes` with `order`, or `changes`.',
      );
    return {
      case: 'attention',
      mask: booleans(mask),
      masked: headOf(masked, 'masked'),
      bare: headOf(bare, 'bare'),
    };
  },
};

function careOf({ changes }: Values): Care {
  const isChange = (each: unknown) =>
    Array.isArray(each) && typeof each[0] === 'string' && typeof each[1] === 'number';
  if (!Array.isArray(changes) || !changes.every(isChange))
    throw new Advice('The figure draws `changes`: pairs of a name and a number.');
  return { case: 'care', changes: changes.slice(0, 40) as Care['changes'] };
}

function decoderOf({ sides, apart }: Values): Decoder {
  return {
    case: 'decoder',
    sides: (sides as { [name: string]: unknown }[]).map(({ padding, ids, mask, positions }) => ({
      padding: String(padding),
      ids: nested(ids, 'ids', 2),
      mask: booleans(mask),
      positions: nested(positions, 'positions', 2),
    })),
    apart: Number(apart),
  };
}

const packedOf = ({ ids, mask, order, batchSizes, apart }: Values): Packed => ({
  case: 'packed',
  ids: nested(ids, 'ids', 2),
  mask: booleans(mask),
  order: nested(order, 'order', 1),
  batchSizes: nested(batchSizes, 'batchSizes', 1),
  apart: Number(apart),
});
