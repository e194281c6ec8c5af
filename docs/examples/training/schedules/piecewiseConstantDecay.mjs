// SPDX-License-Identifier: MIT
import { ready, schedules } from 'maskflow/train';

await ready();
const rate = schedules.piecewiseConstantDecay({ boundaries: [10, 20], values: [1, 0.5, 0.25] });
console.log([0, 10, 11, 20, 21].map((step) => rate.at(step)).join(' ')); // a boundary belongs to what comes before it
// → 1 1 0.5 0.5 0.25
