// SPDX-License-Identifier: MIT
// The data of the chapter "padding", from the variables of its program.
import type { Reader } from '../../engine/worker.js';
import { isTensor, nested } from '../../shared/values.js';

export interface PaddingData {
  ids: number[][];
  dtype: string;
  mask: boolean[][];
  /** The error of padSequences if the value does not fit into int32; else ''. */
  refused: string;
}

export const padding: Reader = {
  names: ['ids', 'mask', 'refused'],
  read({ ids, mask, refused }): PaddingData {
    return {
      ids: nested(ids, 'ids', 2),
      dtype: isTensor(ids) ? ids.dtype : '',
      mask: nested(mask, 'mask', 2),
      refused: typeof refused === 'string' ? refused : '',
    };
  },
};
