// SPDX-License-Identifier: MIT
// Runs a model and keeps what each layer and operation returned.
import { CallArguments, type LayerInputs } from '../../layers/args.js';
import { native, unwrap } from '../../engine/engine.js';
import type { Layer } from '../../layers/layer.js';
import { type Tensor, wrapTensor } from '../../tensor/tensor.js';
import { entryOf, type TraceEntry } from '../trace.js';

/** A call of a layer or operation, with its results. */
export interface Call {
  readonly entry: TraceEntry;
  readonly results: readonly Tensor[];
}

export interface Run {
  readonly outputs: readonly Tensor[];
  readonly calls: readonly Call[];
}

/** Runs the model. All tensors belong to the enclosing `tidy`. */
export function runModel(model: Layer, inputs: LayerInputs): Run {
  const args = new CallArguments(model, inputs, {});
  try {
    const { result, events } = unwrap(native().modelTrace(model.handle, args.native, true));
    const calls = events.map((event) => ({
      results: event.results.map((handle) => wrapTensor(handle)),
      entry: entryOf(event),
    }));
    return {
      outputs: result.outputs.map((handle) => wrapTensor(handle)),
      // The first call is that of the model.
      calls: calls.filter(({ entry }) => entry.depth >= 0 && entry.role !== 'computes'),
    };
  } finally {
    args.dispose();
  }
}
