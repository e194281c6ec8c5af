// SPDX-License-Identifier: MIT
import { ready, schedules } from 'maskflow/train';

await ready();
const rate = schedules.polynomialDecay({
  initialLearningRate: 1, decaySteps: 4, endLearningRate: 0,
});
// Power 1: a straight line, then the end
console.log([0, 1, 2, 4, 9].map((step) => rate.at(step)).join(' '));
const cycles = schedules.polynomialDecay({
  initialLearningRate: 1, decaySteps: 4, endLearningRate: 0, cycle: true,
});
console.log([0, 3, 4, 5, 8].map((step) => cycles.at(step)).join(' '));
// → 1 0.75 0.5 0 0
// → 1 0.25 0 0.375 0
