// SPDX-License-Identifier: MIT
import { native, unwrap } from './engine.js';
import { ConfigError } from './errors.js';
import { Tensor } from './tensor.js';

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
  const batchShape = options.batchShape;
  const shape = batchShape ? batchShape.slice(1) : options.shape;
  if (!shape)
    throw new ConfigError('Input needs a shape: Input({ shape: [null], dtype: "int32" })');
  return new Tensor(
    unwrap(
      native().inputCreate({
        shape: [...shape],
        batch_size: options.batchSize ?? batchShape?.[0] ?? null,
        dtype: options.dtype ?? 'float32',
        name: options.name ?? null,
      }),
    ),
  );
}
