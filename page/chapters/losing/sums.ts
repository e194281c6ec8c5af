// SPDX-License-Identifier: MIT
// The arithmetic of the numbers of the chapter "losing".
import { type Sum, distanceOf, meanOf, sumOfGap, written } from '../../shared/arithmetic.js';
import { decimal, gap } from '../../shared/text.js';
import type { Attention, Change, Decoder, LosingData, Loss, Packed, Side } from './read.js';
import { emptiest } from './words.js';

/** Returns the arithmetic of the numbers in the chapter's sentence. */
export function sumsOf(data: LosingData): Sum[] {
  if (data.case === 'loss') return sumsOfLoss(data);
  if (data.case === 'packed') return sumsOfPacked(data);
  if (data.case === 'decoder') return sumsOfDecoder(data);
  return data.case === 'attention' ? sumsOfAttention(data) : [];
}

/** Returns numbers of 0 and 1 as a sum; of more than 12, only the first two and the last. */
const ones = (flags: readonly boolean[]): string => {
  const numbers = flags.map(Number);
  return numbers.length > 12 ? written(numbers, 0) : numbers.join(' + ');
};

/** Returns the numbers of rows that end in padding as sums. */
const sumsOfDecoder = ({ sides }: Decoder): Sum[] =>
  sides.flatMap(({ mask }): Sum[] => {
    const empty = mask.map((row) => row.at(-1) === false);
    const number = empty.filter(Boolean).length;
    return number === 0
      ? []
      : [[String(number), `${ones(empty)} = ${number}, 1 for each row that ends in padding`]];
  });

/** Returns the arithmetic of a word's position; undefined if another formula made it. */
export function positionOf({ mask, positions }: Side, b: number, t: number): string | undefined {
  const upTo = (mask[b] ?? []).slice(0, t + 1);
  const position = positions[b]?.[t];
  if (!upTo[t] || position !== upTo.filter(Boolean).length - 1) return undefined;
  return `${ones(upTo)} − 1 = ${position}, the mask up to this word, less 1`;
}

/** Returns the arithmetic of a layer's largest change, if the program says where it is. */
export function sumOfChange([, change, before, after]: Change): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  if (!(Math.abs(Math.abs(before - after) - change) < 1e-9)) return undefined;
  return sumOfGap([before, after], 'without and with the new columns')[0]?.[1];
}

/** Returns the number of words as the sum of the sizes of the packed steps. */
function sumsOfPacked({ batchSizes }: Packed): Sum[] {
  const words = batchSizes.reduce((sum, size) => sum + size, 0);
  const sum = batchSizes.length > 12 ? written(batchSizes, 0) : batchSizes.join(' + ');
  return [[String(words), `${sum} = ${words}, the sum of batch_sizes`]];
}

function sumsOfLoss(data: Loss): Sum[] {
  const { masked, bare } = data;
  const means = [
    [decimal(masked), meanOf(keptLosses(data))],
    [decimal(bare), meanOf(data.each.flat())],
  ] as const;
  return bare === masked
    ? [...means]
    : [...means, [gap(Math.abs(bare - masked)), distanceOf(bare, masked)]];
}

export const keptLosses = ({ each, mask }: Loss): number[] =>
  each.flatMap((row, b) => row.filter((_, t) => mask[b]?.[t]));

/** Returns the arithmetic of the loss of a step; undefined if another formula made it. */
export function lossOfStep(
  { each, labels, predictions }: Loss,
  b: number,
  t: number,
): string | undefined {
  const [label, prediction] = [labels?.[b]?.[t]?.[0], predictions?.[b]?.[t]?.[0]];
  const loss = each[b]?.[t] ?? Number.NaN;
  if (prediction === undefined || (label !== 0 && label !== 1)) return undefined;
  const right = label === 1 ? prediction : 1 - prediction;
  if (!(Math.abs(-Math.log(right) - loss) < 0.0005)) return undefined;
  const inside = label === 1 ? decimal(prediction) : `(1 − ${decimal(prediction)})`;
  return `−ln ${inside} = ${decimal(loss)}, label ${label}`;
}

/** Returns the share of attention that the first word gives to padding without a mask, as a sum. */
function sumsOfAttention({ mask, bare }: Attention): Sum[] {
  const row = emptiest(mask);
  const keep = mask[row] ?? [];
  const shares = keep.flatMap((each, query) =>
    each ? [(bare[row]?.[query] ?? []).filter((_, key) => !keep[key])] : [],
  );
  const totals = shares.map((each) => each.reduce((sum, share) => sum + share, 0));
  const most = Math.max(0, ...totals);
  const parts = shares[totals.indexOf(most)] ?? [];
  if (most === 0) return [];
  return [[`${Math.round(100 * most)} %`, `${written(parts)} = ${decimal(most)}`]];
}

/**
 * Returns the arithmetic of a share under the key mask: the share without it, divided by those of
 * the words. Returns undefined if the shares do not fit.
 */
export function shareOfKey(
  { mask, masked, bare }: Attention,
  row: number,
  query: number,
  key: number,
): string | undefined {
  const keep = mask[row] ?? [];
  const without = bare[row]?.[query] ?? [];
  const shares = without.filter((share, each) => keep[each] && share > 0);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const share = masked[row]?.[query]?.[key] ?? Number.NaN;
  const own = without[key] ?? Number.NaN;
  if (!(Math.abs(own / total - share) < 0.0005)) return undefined;
  return `${decimal(own)} / (${written(shares)}) = ${decimal(share)}`;
}
