// SPDX-License-Identifier: MIT
// The base of layers that look up rows of a table, which may begin with given numbers.
import { isPlain } from '../base/check.js';
import { isTypedArray, type Nested, type TypedArray } from '../base/nested.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { BuiltinLayer } from './builtin_layer.js';
import type { Prepared } from './layer_objects.js';

type Table = Tensor | Nested | TypedArray | readonly TypedArray[];

/** First weights of an Embedding. */
export interface FirstTableConfig {
  /**
   * First values of the table, [inputDim, outputDim], alone or in a list, as in Keras: rows, a
   * tensor, or all numbers in one typed array. Configs do not contain them. Throws ShapeError for
   * another shape. Default: null.
   */
  weights?: Table | readonly [Table] | null;
}

const isRow = (value: unknown): boolean =>
  isTypedArray(value) || (Array.isArray(value) && !Array.isArray(value[0]));

/** Returns the weights in the argument: a list of them, or the only one. */
function listed(value: unknown, rows: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [value];
  if (value.some((item) => isTensor(item)) || value.length === 0) return value;
  // A list of one row is a table only if the table has one row.
  const isTable = value.length > 1 || (rows === 1 && isRow(value[0]));
  return isTable ? [value] : value;
}

/** Base class of Embedding. */
export class LooksUp extends BuiltinLayer {
  constructor(className: string, config: object | Prepared, firsts: string) {
    // The base class says what a missing config needs.
    const { weights, ...settings } = (config ?? {}) as FirstTableConfig;
    super(className, isPlain(config) ? settings : config, firsts);
    if (!isPlain(config) || weights === undefined || weights === null) return;
    try {
      this.build([null, null]);
      this.setWeights(listed(weights, this.getConfig().input_dim) as never);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }
}
