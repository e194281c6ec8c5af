// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { crfMarginals } from 'maskflow/tags';

await ready();
const transitions = [[1, -1], [-1, 1]]; // row: tag before, column: tag after
const probabilities = crfMarginals([[[2, 0], [0, 0.5]]], transitions).array();
for (const step of probabilities[0])
  console.log(step.map((each) => each.toFixed(3)).join(' '));
// → 0.835 0.165
// → 0.695 0.305
