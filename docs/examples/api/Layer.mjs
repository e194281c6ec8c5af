// SPDX-License-Identifier: MIT
import { Layer, ops, ready } from 'maskflow';

class MaskedMean extends Layer {
  call(x, { mask }) {
    const keep = ops.expandDims(ops.cast(mask, 'float32'), -1);
    const sums = ops.sum(ops.multiply(x, keep), { axis: 1 });
    return ops.divide(sums, ops.sum(keep, { axis: 1 }));
  }
}

await ready();
const mean = new MaskedMean();
console.log(mean.apply([[[2], [4], [9]]], { mask: [[true, true, false]] }).item());
// → 3
