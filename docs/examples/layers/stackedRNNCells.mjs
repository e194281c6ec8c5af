// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const sum = () => layers.simpleRNNCell({
  units: 1, activation: 'linear', kernelInitializer: 'ones', recurrentInitializer: 'ones',
});
const cell = layers.stackedRNNCells({ cells: [sum(), sum()] });
const y = layers.rnn({ cell, returnSequences: true }).apply([[[1], [1], [1], [1]]]);
console.log(y.array().flat(2).join(' ')); // sums of 1, 2, 3, 4
// → 1 3 6 10
