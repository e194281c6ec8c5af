// SPDX-License-Identifier: MIT
import { ready, schedules } from 'maskflow/train';

await ready();
const settings = { boundaries: [10, 20], values: [1, 0.5, 0.25] };
const rate = schedules.piecewiseConstantDecay(settings);
// A boundary belongs to what comes before it
console.log([0, 10, 11, 20, 21].map((step) => rate.at(step)).join(' '));
// → 1 1 0.5 0.5 0.25
