// SPDX-License-Identifier: MIT
import { ready, schedules } from 'maskflow/train';

await ready();
const rate = schedules.cosineDecay({
  initialLearningRate: 0, warmupTarget: 1, warmupSteps: 2, decaySteps: 4,
});
// Up in 2 steps, down in 4
console.log([0, 1, 2, 4, 6, 9].map((step) => rate.at(step).toFixed(2)).join(' '));
// → 0.00 0.50 1.00 0.50 0.00 0.00
