// SPDX-License-Identifier: MIT
// Custom layers of the guide, as a user would write them.
import { Layer, layers, ops } from '../../dist/index.js';

/** Cuts a sequence, and its mask, into two halves along time. */
export class TemporalSplit extends Layer {
  call(inputs) {
    return ops.split(inputs, 2, { axis: 1 });
  }
  computeMask(_inputs, mask) {
    return mask === null ? null : ops.split(mask, 2, { axis: 1 });
  }
}

/** A user-defined embedding that creates a mask. */
export class CustomEmbedding extends Layer {
  constructor({ inputDim, outputDim, maskZero = false, ...rest }) {
    super(rest);
    this.dims = [inputDim, outputDim];
    this.maskZero = maskZero;
  }
  build() {
    this.embeddings = this.addWeight({
      name: 'embeddings',
      shape: this.dims,
      initializer: 'randomNormal',
    });
  }
  call(inputs) {
    return ops.take(this.embeddings, inputs, { axis: 0 });
  }
  computeMask(inputs) {
    return this.maskZero ? ops.notEqual(inputs, 0) : null;
  }
}

/** Computes each step in the same way, so it declares that it passes the mask on. */
export class MyActivation extends Layer {
  constructor(config) {
    super(config);
    this.supportsMasking = true;
  }
  call(inputs) {
    return ops.relu(inputs);
  }
}

/** A layer that drops the mask without a declaration. */
export class SilentActivation extends Layer {
  call(inputs) {
    return ops.relu(inputs);
  }
}

/** Softmax over time that leaves masked steps out: they get 0, the others of a row sum to 1. */
export class TemporalSoftmax extends Layer {
  call(inputs, { mask }) {
    const scores = ops.exp(inputs);
    const kept =
      mask === null ? scores : ops.multiply(scores, ops.expandDims(ops.cast(mask, 'float32'), -1));
    return ops.divide(kept, ops.sum(kept, { axis: 1, keepdims: true }));
  }
}

/** Passes the mask to its inner layers explicitly. */
export class MyLayer extends Layer {
  constructor(config) {
    super(config);
    this.embedding = layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true });
    this.lstm = layers.lstm({ units: 32 });
  }
  call(inputs) {
    const x = this.embedding.apply(inputs);
    return this.lstm.apply(x, { mask: this.embedding.computeMask(inputs) });
  }
}
