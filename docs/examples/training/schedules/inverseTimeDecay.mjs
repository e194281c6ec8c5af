// SPDX-License-Identifier: MIT
import { ready, schedules } from 'maskflow/train';

await ready();
const settings = { initialLearningRate: 1, decaySteps: 1, decayRate: 1 };
const rate = schedules.inverseTimeDecay(settings);
console.log([0, 1, 3, 9].map((step) => rate.at(step).toFixed(2)).join(' ')); // 1 / (1 + step)
// → 1.00 0.50 0.25 0.10
