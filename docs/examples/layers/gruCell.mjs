// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const settings = { units: 1, kernelInitializer: 'ones', recurrentInitializer: 'ones' };
const cell = layers.gruCell(settings);
const [first, state] = cell.apply([[1]], { states: [tensor([[0]])] });
const [second] = cell.apply([[2]], { states: [state] });
const whole = layers.gru({ ...settings, returnSequences: true }).apply([[[1], [2]]]);
// The cell computes one step of the layer per call
console.log(String([first.item(), second.item()]) === String(whole.data()));
// → true
