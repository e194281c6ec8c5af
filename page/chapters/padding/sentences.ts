// SPDX-License-Identifier: MIT
import { type Batch, fitsInt32 } from '../../shared/batch.js';
import { count, decimal } from '../../shared/text.js';
import type { PaddingData } from './read.js';

/** What the batch is, read from its numbers. `stands`: which word is in each cell, -1 for padding. */
export function summary(data: PaddingData, batch: Batch, stands: number[][]): string {
  const cells = stands.flat().length;
  if (!stands.flat().some((place) => place >= 0)) return edited(data, cells);
  const holes = stands.flatMap((row, b) =>
    row.flatMap((place, t) =>
      place < 0 ? [{ id: data.ids[b]?.[t] ?? 0, keep: data.mask[b]?.[t] ?? true }] : [],
    ),
  );
  const share = cells > 0 ? Math.round((100 * holes.length) / cells) : 0;
  const filled =
    holes.length === 0
      ? `None of the ${cells} cells is padding.`
      : `${holes.length} of ${count(cells, 'cell')} ${holes.length === 1 ? 'is' : 'are'} padding (${share} %).`;
  return [filled, ofMask(holes), ofValue(data, batch, holes[0]?.id), ofCuts(batch, stands)]
    .filter(Boolean)
    .join(' ');
}

function edited({ mask }: PaddingData, cells: number): string {
  const away = mask.flat().filter((keep) => !keep).length;
  return `The edited program made ${count(cells, 'cell')}; the mask is F at ${away} of them.`;
}

function ofMask(holes: { keep: boolean }[]): string {
  if (holes.length === 0) return '';
  const taken = holes.filter(({ keep }) => keep).length;
  if (taken === 0)
    return holes.length === 1 ? 'The mask is F there.' : 'The mask is F at each of them.';
  const where = taken === holes.length ? 'there' : `at ${taken} of them`;
  return `The mask is T ${where}: a model takes that padding for words.`;
}

/** What became of a value that is not 0. */
function ofValue({ refused, dtype }: PaddingData, { options }: Batch, made?: number): string {
  const { value = 0 } = options;
  if (refused)
    return `Whole numbers refuse it (“${refused}”), so this batch is ${dtype}; no Embedding takes that.`;
  if (made === undefined || value === made || !fitsInt32(value)) return '';
  return `Ids are whole numbers: the value ${decimal(value, 1)} became ${made}.`;
}

function ofCuts({ words }: Batch, stands: number[][]): string {
  const cut = words.flatMap((row, b) => {
    const lost = row.filter((_, index) => !stands[b]?.includes(index));
    // Marks around the words keep their direction to themselves.
    return lost.length > 0 ? [`row ${b} lost “\u2068${lost.join(' ')}\u2069”`] : [];
  });
  return cut.length > 0 ? `Cut off: ${cut.join('; ')}.` : '';
}
