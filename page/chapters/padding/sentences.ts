// SPDX-License-Identifier: MIT
// The sentences of the chapter "padding", from the computed batch.
import { type Sum, shareOf } from '../../shared/arithmetic.js';
import { type Batch, fitsInt32 } from '../../shared/batch.js';
import { count, decimal, integer } from '../../shared/text.js';
import type { PaddingData } from './read.js';

/**
 * Describes the computed batch. `wordPlaces` has the index of the word in each cell, -1 for
 * padding.
 */
export function summary(data: PaddingData, batch: Batch, wordPlaces: number[][]): string {
  const cells = wordPlaces.flat().length;
  if (!wordPlaces.flat().some((place) => place >= 0)) return describeEdited(data, cells);
  const holes = wordPlaces.flatMap((row, b) =>
    row.flatMap((place, t) =>
      place < 0 ? [{ id: data.ids[b]?.[t] ?? 0, keep: data.mask[b]?.[t] ?? true }] : [],
    ),
  );
  const share = cells > 0 ? Math.round((100 * holes.length) / cells) : 0;
  const filled =
    holes.length === 0
      ? cells === 1
        ? 'The only cell is not padding.'
        : `None of the ${cells} cells is padding.`
      : `${holes.length} of ${count(cells, 'cell')} ${holes.length === 1 ? 'is' : 'are'} padding (${share} %).`;
  return [
    filled,
    describeMask(holes),
    describeValue(data, batch, holes[0]?.id),
    describeCuts(batch, wordPlaces),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns the arithmetic of the share of padding in the sentence. */
export function sumsOf(wordPlaces: number[][]): Sum[] {
  const cells = wordPlaces.flat();
  const holes = cells.filter((place) => place < 0).length;
  if (holes === 0 || holes === cells.length) return [];
  return [[`${Math.round((100 * holes) / cells.length)} %`, shareOf(holes, cells.length)]];
}

function describeEdited({ mask }: PaddingData, cells: number): string {
  const masked = mask.flat().filter((keep) => !keep).length;
  return `The edited program computed ${count(cells, 'cell')}; the mask is F at ${masked} of them.`;
}

function describeMask(holes: { keep: boolean }[]): string {
  if (holes.length === 0) return '';
  const kept = holes.filter(({ keep }) => keep).length;
  if (kept === 0)
    return holes.length === 1 ? 'The mask is F there.' : 'The mask is F at each of them.';
  const where = kept === holes.length ? 'there' : `at ${kept} of them`;
  return `The mask is T ${where}: a model treats that padding as words.`;
}

/** Says how a padding value other than 0 was stored. */
function describeValue({ refused, dtype }: PaddingData, { options }: Batch, id?: number): string {
  const { value = 0 } = options;
  if (refused)
    return `It does not fit into int32 (“${refused}”), so this batch is ${dtype}, which an Embedding does not accept.`;
  if (id === undefined || value === id || !fitsInt32(value)) return '';
  return `Ids are integers: the value ${decimal(value, 1)} became ${integer(id)}.`;
}

function describeCuts({ words }: Batch, wordPlaces: number[][]): string {
  const cut = words.flatMap((row, b) => {
    const cutWords = row.filter((_, index) => !wordPlaces[b]?.includes(index));
    // Unicode isolates keep the direction of these words from changing the rest of the sentence.
    return cutWords.length > 0 ? [`row ${b} lost “\u2068${cutWords.join(' ')}\u2069”`] : [];
  });
  return cut.length > 0 ? `Cut off: ${cut.join('; ')}.` : '';
}
