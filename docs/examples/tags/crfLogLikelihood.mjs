// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { crfLogLikelihood } from 'maskflow/tags';

await ready();
const potentials = [[[2, 0], [0, 0.5]]];
const transitions = [[1, -1], [-1, 1]]; // row: tag before, column: tag after
for (const tags of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
  const likelihood = crfLogLikelihood(potentials, [tags], transitions).item();
  console.log(tags.join(' '), Math.exp(likelihood).toFixed(3));
}
// → 0 0 0.683
// → 0 1 0.152
// → 1 0 0.013
// → 1 1 0.152
