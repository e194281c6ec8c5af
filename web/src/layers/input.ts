// SPDX-License-Identifier: MIT
// `Input` of all entries.
import { checkShape, checkText, checkOptions, optionsOf } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { ConfigError } from '../base/errors.js';
import { type DType, type SymbolicTensor, wrapTensor } from '../tensor/tensor.js';
import { textGraphs } from './text_symbols.js';

/** Dtypes that models declare for their inputs. */
type InputDType =
  | DType
  | 'float16'
  | 'bfloat16'
  | 'float64'
  | 'int8'
  | 'int16'
  | 'int64'
  | 'uint8'
  | 'string';

/** Options of {@link Input}. */
export interface InputOptions {
  /** Shape of one sample, null where unknown: [null] for ids of any length. */
  shape?: readonly (number | null)[];
  /** Shape with the batch first, in place of `shape`. */
  batchShape?: readonly (number | null)[];
  /** Rows of a batch. Default: null, any number. */
  batchSize?: number | null;
  /**
   * 'float32', 'int32' or 'bool'; other dtypes become one of these. Default: 'float32'. 'string' is
   * for layers of maskflow/text, which must be imported.
   */
  dtype?: InputDType;
  /** Name of the input. Default: 'input_layer', with a number. */
  name?: string;
}

/** Names that users gave to inputs; the InputLayer of a Sequential has that name, too. */
export const inputNames = new WeakMap<object, string>();

/**
 * Creates an input of a graph: a symbolic tensor, to which layers and ops are applied. For
 * functions typed for tensors only, write `const x: Tensor = Input(…)`; it still has no data.
 *
 * As in Keras, a shape may come first: `Input([10])`, `Input([10], { dtype: 'int32' })`. Throws
 * ConfigError without a shape.
 *
 * @param others Further options, after the shape.
 * @returns A symbolic tensor of shape [batch, …shape].
 */
export function Input<T extends SymbolicTensor = SymbolicTensor>(
  options: InputOptions | readonly (number | null)[] = {},
  others?: Omit<InputOptions, 'shape'>,
): T {
  const first = (Array.isArray(options) ? { shape: options } : options) as InputOptions;
  const settings = others ? { ...first, ...optionsOf(others) } : first;
  const {
    batchShape,
    shape: inner,
    batchSize,
    dtype = 'float32',
    name,
  } = checkOptions(settings, {
    shape: 1,
    batchShape: 1,
    batchSize: 1,
    dtype: 1,
    name: 1,
  });
  for (const dims of [batchShape, inner, [batchSize ?? null]]) if (dims) checkShape(dims);
  checkText(dtype, 'dtype');
  if (name) checkText(name, 'the name of an Input');
  if ((dtype as string) === 'string') return textGraphs.get().input(settings) as T;
  const shape = batchShape ? batchShape.slice(1) : inner;
  if (!shape) throw new ConfigError('Input needs a shape: Input({ shape: [null] })');
  const symbol = wrapTensor(
    unwrap(
      native().inputCreate({
        shape: [...shape],
        batch_size: batchSize ?? batchShape?.[0] ?? null,
        dtype,
        name: name ?? null,
      }),
    ),
  );
  if (name) inputNames.set(symbol, name);
  return symbol as SymbolicTensor as T;
}
