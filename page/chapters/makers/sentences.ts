// SPDX-License-Identifier: MIT
import { type Batch, places } from '../../shared/batch.js';
import { count } from '../../shared/text.js';
import type { Embedded, MakersData, Masked } from './read.js';

export const says = (data: MakersData, maskValue: number, batch: Batch): string =>
  data.maker === 'masking' ? ofMasking(data, maskValue) : ofEmbedded(data, batch);

function ofEmbedded({ maker, ids, mask, tiled }: Embedded, batch: Batch): string {
  if (!mask) return '`x.mask` is null: what follows takes every step for a word, padding too.';
  const away = mask.flat().filter((keep) => !keep).length;
  const total = mask.flat().length;
  if (maker === 'hand') {
    const differ = ids.flatMap((row, b) => row.filter((id, t) => (id !== 0) !== mask[b]?.[t]));
    return `The Embedding made no mask; \`withMask\` puts on one with F at ${away} of ${count(total, 'step')}. ${differ.length === 0 ? 'It is the one that `mask_zero` makes.' : `${count(differ.length, 'step differs', 'steps differ')} from what \`mask_zero\` makes.`}`;
  }
  const zeros = ids.flat().filter((id) => id === 0).length;
  const same = JSON.stringify(mask) === JSON.stringify(tiled);
  const padded = places(batch)
    .flat()
    .filter((place) => place < 0).length;
  const missed =
    padded > 0 && away === 0 ? ' The padding of chapter 1 is not 0, so nothing is masked.' : '';
  return `${count(zeros, 'id is', 'ids are')} 0, and the mask is F at ${count(away, 'step')} of ${total}. Masking on the same ids as features makes ${same ? 'the same mask' : 'another one'}.${missed}`;
}

interface Partly {
  step: number[];
  output: number[];
  keep: boolean;
}

/** Steps some of whose features equal the mask value, but not all. */
export function partly({ x, output, mask }: Masked, maskValue: number): Partly[] {
  return x.flatMap((row, b) =>
    row.flatMap((step, t) => {
      const equal = step.filter((value) => value === maskValue).length;
      const found = { step, output: output[b]?.[t] ?? [], keep: mask[b]?.[t] ?? true };
      return equal > 0 && equal < step.length ? [found] : [];
    }),
  );
}

function ofMasking(data: Masked, maskValue: number): string {
  const { x, mask, output, alone } = data;
  const steps = mask.flat().length;
  const away = mask.flat().filter((keep) => !keep).length;
  const zeroed = mask
    .flatMap((row, b) => row.map((keep, t) => (keep ? [] : (output[b]?.[t] ?? []))))
    .flat()
    .every((value) => value === 0);
  const some = partly(data, maskValue);
  const unchanged = some.filter(
    ({ step, output: out, keep }) => keep && step.every((each, i) => Object.is(each, out[i])),
  ).length;
  const first =
    away === 0
      ? `None of ${count(steps, 'step')} is masked.`
      : `${away} of ${count(steps, 'step')} ${away === 1 ? 'is' : 'are'} masked${zeroed ? ', and put out as 0' : ''}.`;
  const nans = x.flat(2).some(Number.isNaN);
  const nan =
    Number.isNaN(maskValue) && away === 0
      ? ` NaN equals nothing${nans ? ', not even the NaN in these steps' : ''}: with it no step is ever masked.`
      : '';
  const partial =
    some.length === 0
      ? ''
      : ` ${count(some.length, 'step')} equal${some.length === 1 ? 's' : ''} ${maskValue} in part: ${unchanged === some.length ? (some.length === 1 ? 'it passes' : 'all pass') : `${unchanged} of them pass`} unchanged.`;
  const both =
    JSON.stringify(alone) === JSON.stringify(mask)
      ? ' `computeMask` alone says the same.'
      : ' `computeMask` alone says something else!';
  return first + nan + partial + both;
}
