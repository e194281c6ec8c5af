// SPDX-License-Identifier: MIT
import { ready, schedules } from 'maskflow/train';

await ready();
const settings = { initialLearningRate: 1, decaySteps: 2, decayRate: 0.25 };
const steps = [0, 1, 2, 3, 4];
const rate = schedules.exponentialDecay(settings);
console.log(steps.map((step) => rate.at(step).toFixed(4)).join(' '));
const stairs = schedules.exponentialDecay({ ...settings, staircase: true });
console.log(steps.map((step) => stairs.at(step).toFixed(4)).join(' '));
// → 1.0000 0.5000 0.2500 0.1250 0.0625
// → 1.0000 1.0000 0.2500 0.2500 0.0625
