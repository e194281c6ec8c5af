// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const cell = layers.simpleRNNCell({
  units: 1, activation: 'linear', kernelInitializer: 'ones', recurrentInitializer: 'ones',
});
const [output, state] = cell.apply([[3]], { states: [tensor([[10]])] });
console.log(output.item(), state.item()); // x + h
// → 13 13
