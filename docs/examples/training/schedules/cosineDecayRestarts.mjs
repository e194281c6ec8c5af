// SPDX-License-Identifier: MIT
import { ready, schedules } from 'maskflow/train';

await ready();
const rate = schedules.cosineDecayRestarts({ initialLearningRate: 1, firstDecaySteps: 4 });
// The second time takes 8 steps
console.log([0, 2, 3, 4, 8, 11, 12].map((step) => rate.at(step).toFixed(2)).join(' '));
// → 1.00 0.50 0.15 1.00 0.50 0.04 1.00
