// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready({ onMaskDropped: 'silent' });
const sumOf = (padding) => layers.conv1D({
  filters: 1, kernelSize: 2, padding, kernelInitializer: 'ones',
});
const x = [[[1], [2], [3], [4]]];
console.log(sumOf('valid').apply(x).array().flat(2).join(' '));
console.log(sumOf('same').apply(x).array().flat(2).join(' ')); // a zero behind
// A zero in front: no step sees a later one
console.log(sumOf('causal').apply(x).array().flat(2).join(' '));
// Convolutions drop masks, as in Keras
console.log(sumOf('causal').apply(layers.masking().apply(x)).mask);
// → 3 5 7
// → 3 5 7 4
// → 1 3 5 7
// → null
