// SPDX-License-Identifier: MIT
import type { Reader } from '../../engine/worker.js';
import { isTensor, nested } from '../../shared/values.js';

export interface PaddingData {
  ids: number[][];
  dtype: string;
  mask: boolean[][];
  /** Number of cells of the batch when its longest sentence has one more word. */
  longer: number;
  /** The error of padSequences if the value does not fit into int32; else ''. */
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
