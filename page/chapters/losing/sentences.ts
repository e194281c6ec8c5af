// SPDX-License-Identifier: MIT
// The sentence of each figure, from the computed numbers.
import type { Batch } from '../../shared/batch.js';
import { count, decimal, gap, upTo } from '../../shared/text.js';
import type { Attention, Care, Decoder, LosingData, Loss, Packed } from './read.js';
import { emptiest, wordsOf } from './words.js';

export function summary(data: LosingData, batch: Batch, causal: boolean): string {
  if (data.case === 'attention') return describeAttention(data, batch, causal);
  if (data.case === 'loss') return describeLoss(data);
  if (data.case === 'decoder') return describeDecoder(data);
  if (data.case === 'packed') return describePacked(data);
  return describeCare(data, batch);
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

function describeAttention(
  { mask, masked, bare }: Attention,
  batch: Batch,
  causal: boolean,
): string {
  const row = emptiest(mask);
  const keep = mask[row] ?? [];
  if (keep.every(Boolean))
    return 'No row of this batch has padding, so the key mask changes nothing.';
  const words = wordsOf(batch, row, keep);
  const onPadding = (scores: number[][][], query: number) =>
    (scores[row]?.[query] ?? []).reduce((sum, score, key) => (keep[key] ? sum : sum + score), 0);
  const queries = keep.flatMap((each, t) => (each ? [t] : []));
  const lost = queries.map((query) => onPadding(bare, query));
  const max = Math.max(...lost);
  const word = words[queries[lost.indexOf(max)] ?? 0] ?? '';
  const kept = Math.max(...queries.map((query) => onPadding(masked, query)));
  const sums = queries.map((query) => (masked[row]?.[query] ?? []).reduce((a, b) => a + b, 0));
  const isOne = sums.every((sum) => Math.abs(sum - 1) < 1e-5);
  const share = isOne ? 'and its row still sums to 1' : 'but its row does not sum to 1';
  if (max === 0)
    return `${causal ? 'No word sees the padding, which comes after it: a causal mask is enough here. Pad in front, and it is not.' : 'No word attends to padding.'}`;
  return `Without the key mask, “\u2068${word}\u2069” gives ${percent(max)} of its attention to padding. With it, ${gap(kept)}, ${share}.`;
}

function describeLoss({ mask, masked, bare }: Loss): string {
  const steps = mask.flat();
  const words = steps.filter(Boolean).length;
  if (words === steps.length)
    return 'No row of this batch has padding, so the mask changes nothing.';
  const change = bare - masked;
  const way = change < 0 ? 'better' : 'worse';
  const effect =
    change === 0 ? ' too' : `, so the model looks ${gap(Math.abs(change))} ${way} than it is`;
  return `With the mask, the loss is the mean over ${count(words, 'word')}: ${decimal(masked)}. Without it, it is the mean over ${count(steps.length, 'step')}, ${steps.length - words} of them padding: ${decimal(bare)}${effect}.`;
}

function describeDecoder({ sides, apart }: Decoder): string {
  const said = sides.map(({ padding, mask }) => {
    const empty = mask.filter((row) => row.at(-1) === false).length;
    const where = `\`padding: '${padding}'\``;
    return empty === 0
      ? `with ${where}, it is a word in every row`
      : `with ${where}, it is padding in ${empty} of ${count(mask.length, 'row')}`;
  });
  return `Look at the last position: ${said.join('; ')}. A masked LSTM reads both sides alike: its answers differ by ${upTo(apart)}.`;
}

function describePacked({ mask, batchSizes, apart }: Packed): string {
  const words = batchSizes.reduce((sum, size) => sum + size, 0);
  return `${count(words, 'word')} in place of ${mask.flat().length} steps: \`batch_sizes\` is the sum of the mask at each step. Read together with the mask, or each row alone: the answers differ by ${upTo(apart)}.`;
}

function describeCare({ changes }: Care, { options }: Batch): string {
  const safe = changes.filter(([, change]) => change === 0).length;
  const opening = `${safe} of ${changes.length} do not change at all.`;
  if (options.padding === 'pre')
    return `${opening} Layers that treat each word alone need no mask. Padding is in front here, so layers that read what comes before a word need one, too.`;
  return `${opening} Layers that treat each word alone, or only read what comes before it, need no mask at the words. Layers that look ahead, return the last step or take a mean need one.`;
}
