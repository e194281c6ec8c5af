// SPDX-License-Identifier: MIT
import { checkShape, checkText, checkOptions } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { ConfigError } from '../base/errors.js';
import { type DType, type SymbolicTensor, wrapTensor } from '../tensor/tensor.js';

/** What models say of their inputs. */
type InputDType = DType | 'float16' | 'bfloat16' | 'float64' | 'int8' | 'int16' | 'int64' | 'uint8';

export interface InputOptions {
  /** Shape of one sample, null where unknown: [null] for ids of any length. */
  shape?: readonly (number | null)[];
  /** Shape with the batch first, instead of `shape`. */
  batchShape?: readonly (number | null)[];
  batchSize?: number | null;
  /** 'float32' (default), 'int32' or 'bool'; numbers of other sizes become one of these. */
  dtype?: InputDType;
  name?: string;
}

/**
 * The beginning of a graph: a symbolic tensor to apply layers and ops to. `const x: Tensor = Input(…)` is for functions that
 * take tensors alone, though there is no data.
 */
export function Input<T extends SymbolicTensor = SymbolicTensor>(options: InputOptions = {}): T {
  const {
    batchShape,
    shape: inner,
    batchSize,
    dtype = 'float32',
    name,
  } = checkOptions(options, {
    shape: 1,
    batchShape: 1,
    batchSize: 1,
    dtype: 1,
    name: 1,
  });
  for (const given of [batchShape, inner, [batchSize ?? null]]) if (given) checkShape(given);
  checkText(dtype, 'dtype');
  if (name) checkText(name, 'the name of an Input');
  const shape = batchShape ? batchShape.slice(1) : inner;
  if (!shape)
    throw new ConfigError('Input needs a shape: Input({ shape: [null], dtype: "int32" })');
  return wrapTensor(
    unwrap(
      native().inputCreate({
        shape: [...shape],
        batch_size: batchSize ?? batchShape?.[0] ?? null,
        dtype,
        name: name ?? null,
      }),
    ),
  ) as SymbolicTensor as T;
}
