// SPDX-License-Identifier: MIT
// The fast path of `predict`, for a single tensor. It is measured in microseconds:
// docs/internals/boundary.md.
import { native, unwrapHandle } from '../engine/engine.js';
import { placeFromExchange } from '../engine/exchange.js';
import { fromResult, type kInputCount, type LayerOutputs } from '../layers/args.js';
import { compute } from '../layers/user_code.js';
import type { Layer } from '../layers/layer.js';
import { asTensor, type TensorLike, wrapTensor } from '../tensor/tensor.js';
import { builtFor } from './built_for.js';
import { withBatchHint } from './predict_options.js';

// The core counts rows with 32 bits; more rows do not fit its memory.
const kMaxRows = 0x7fffffff;

// Predicts from a single tensor, with as little work around the core as possible.
export function predictOne(
  model: Pick<Layer, 'builtFor' | typeof kInputCount> & { readonly address: number },
  input: TensorLike,
  batchSize: number,
): LayerOutputs {
  const tensor = asTensor(input);
  try {
    const { address } = model;
    const size = Math.min(batchSize, kMaxRows);
    const result = compute(() =>
      unwrapHandle(native()._predict_one_at(address, tensor.handle, size)),
    );
    model.builtFor ??= builtFor(model, tensor);
    if (result === 1) return fromResult(native().modelPredicted());
    return wrapTensor(result, placeFromExchange());
  } catch (error) {
    throw withBatchHint(error, input);
  } finally {
    if (tensor !== input) tensor.dispose();
  }
}
