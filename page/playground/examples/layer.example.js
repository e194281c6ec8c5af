// SPDX-License-Identifier: MIT
// A layer of your own that uses the mask: softmax over time, leaving padding out.
import { Layer, layers, ready, tensor } from 'maskflow';

class TemporalSoftmax extends Layer {
  call(inputs, { mask }) {
    const kept = inputs.exp().multiply(mask.cast('float32').expandDims(-1));
    return kept.divide(kept.sum({ axis: 1, keepdims: true }));
  }
}

await ready({ seed: 7, onMaskDropped: 'silent' });
const ids = tensor(
  [
    [1, 2, 0, 0],
    [3, 4, 5, 0],
  ],
  { dtype: 'int32' },
);
const x = layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true }).apply(ids);
const weights = new TemporalSoftmax().apply(layers.dense({ units: 1 }).apply(x));
console.log(String(weights.squeeze({ axis: -1 }))); // 0 at the padding; each row sums to 1
