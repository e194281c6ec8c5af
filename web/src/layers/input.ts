// SPDX-License-Identifier: MIT
import { checkShape, options as optionsOf, text } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { ConfigError } from '../base/errors.js';
import { type Tensor, wrapTensor } from '../tensor/tensor.js';

export interface InputOptions {
  /** Shape of one sample, null where unknown: [null] for ids of any length. */
  shape?: readonly (number | null)[];
  /** Shape with the batch first, instead of `shape`. */
  batchShape?: readonly (number | null)[];
  batchSize?: number | null;
  /** 'float32' (default), 'int32' or 'bool'. */
  dtype?: string;
  name?: string;
}

/** The beginning of a graph: a symbolic tensor to apply layers and ops to. */
export function Input(options: InputOptions = {}): Tensor {
  const { batchShape, shape: inner, batchSize, dtype = 'float32', name } = optionsOf(options);
  for (const given of [batchShape, inner, [batchSize ?? null]]) if (given) checkShape(given);
  text(dtype, 'dtype');
  if (name) text(name, 'the name of an Input');
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
  );
}
