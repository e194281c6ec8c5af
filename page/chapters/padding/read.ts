// SPDX-License-Identifier: MIT
import type { Reader } from '../../engine/worker.js';
import { isTensor, nested } from '../../shared/values.js';

export interface PaddingData {
  ids: number[][];
  dtype: string;
  mask: boolean[][];
  /** Cells of the batch when its longest sentence has one word more. */
  longer: number;
  /** What padSequences said of the value, where int32 does not take it. */
  refused: string;
}

const cells = (rows: unknown[][]) => rows.reduce((sum, row) => sum + row.length, 0);

export const padding: Reader = {
  names: ['ids', 'mask', 'longer', 'refused'],
  read({ ids, mask, longer, refused }): PaddingData {
    return {
      ids: nested(ids, 'ids', 2),
      dtype: isTensor(ids) ? ids.dtype : '',
      mask: nested(mask, 'mask', 2),
      longer: cells(nested(longer, 'longer', 2)),
      refused: typeof refused === 'string' ? refused : '',
    };
  },
};
