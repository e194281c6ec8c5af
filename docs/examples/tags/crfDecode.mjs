// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { crfDecode } from 'maskflow/tags';

await ready();
const potentials = [[[2, 0], [0, 9], [0, 0.5], [1, 0]]];
const transitions = [[1, -1], [-1, 1]]; // row: tag before, column: tag after
const mask = [[true, false, true, true]];
const { tags, score } = crfDecode(potentials, transitions, { mask });
console.log(String(tags));
console.log(score.item());
// → [[0 0 0 0]]
// → shape (1, 4), int32
// → mask [[T F T T]]
// → 5
