// SPDX-License-Identifier: MIT
// The sentences of the chapter "makers", from the computed numbers.
import { type Batch, places } from '../../shared/batch.js';
import { count } from '../../shared/text.js';
import type { Embedded, MakersData, Masked } from './read.js';

export const summary = (data: MakersData, maskValue: number, batch: Batch): string =>
  data.maker === 'masking' ? describeMasking(data, maskValue) : describeEmbedded(data, batch);

function describeEmbedded({ maker, ids, mask, tiled }: Embedded, batch: Batch): string {
  if (!mask) return '`x.mask` is null: later layers treat every step as a word, including padding.';
  const masked = mask.flat().filter((keep) => !keep).length;
  const total = mask.flat().length;
  if (maker === 'hand') {
    const differ = ids.flatMap((row, b) => row.filter((id, t) => (id !== 0) !== mask[b]?.[t]));
    return `The Embedding made no mask; \`withMask\` attaches one with F at ${masked} of ${count(total, 'step')}. ${differ.length === 0 ? 'It equals the mask of `mask_zero`.' : `${count(differ.length, 'step differs', 'steps differ')} from the mask of \`mask_zero\`.`}`;
  }
  const zeros = ids.flat().filter((id) => id === 0).length;
  const same = JSON.stringify(mask) === JSON.stringify(tiled);
  const padded = places(batch)
    .flat()
    .filter((place) => place < 0).length;
  const missed =
    padded > 0 && masked === 0 ? ' The padding of the batch is not 0, so nothing is masked.' : '';
  return `${count(zeros, 'id is', 'ids are')} 0, and the mask is F at ${count(masked, 'step')} of ${total}. Masking on the same ids as features makes ${same ? 'the same mask' : 'a different mask'}.${missed}`;
}

interface PartlyEqual {
  step: number[];
  output: number[];
  keep: boolean;
}

/** Returns the steps in which some features equal the mask value, but not all. */
function partlyEqual({ x, output, mask }: Masked, maskValue: number): PartlyEqual[] {
  return x.flatMap((row, b) =>
    row.flatMap((step, t) => {
      const equal = step.filter((value) => value === maskValue).length;
      const result = { step, output: output[b]?.[t] ?? [], keep: mask[b]?.[t] ?? true };
      return equal > 0 && equal < step.length ? [result] : [];
    }),
  );
}

function describeMasking(data: Masked, maskValue: number): string {
  const { mask, output, alone } = data;
  const steps = mask.flat().length;
  const masked = mask.flat().filter((keep) => !keep).length;
  const zeroed = mask
    .flatMap((row, b) => row.map((keep, t) => (keep ? [] : (output[b]?.[t] ?? []))))
    .flat()
    .every((value) => value === 0);
  const some = partlyEqual(data, maskValue);
  const unchanged = some.filter(
    ({ step, output: out, keep }) => keep && step.every((each, i) => Object.is(each, out[i])),
  ).length;
  const first =
    masked === 0
      ? steps === 1
        ? 'The only step is not masked.'
        : `None of ${steps} steps is masked.`
      : `${masked} of ${count(steps, 'step')} ${masked === 1 ? 'is' : 'are'} masked${zeroed ? ' and set to 0' : ''}.`;
  const partial =
    some.length === 0
      ? ''
      : ` ${count(some.length, 'step')} equal${some.length === 1 ? 's' : ''} ${maskValue} in part: ${unchanged === some.length ? (some.length === 1 ? 'it passes' : 'all pass') : `${unchanged} of them pass`} unchanged.`;
  const both =
    JSON.stringify(alone) === JSON.stringify(mask)
      ? ' `computeMask` alone returns the same mask.'
      : ' `computeMask` alone returns a different mask!';
  return first + partial + both;
}
