// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';

await ready();
const given = layers.discretization({ binBoundaries: [0, 10, 100] });
console.log(String(given.apply([[-5, 0, 9, 50, 1000]])));
const found = layers.discretization({ numBins: 4 });
found.adapt([1, 2, 3, 4, 5, 6, 7, 8]);
console.log(String(found.apply([[1, 3, 5, 7]])));
// → [[0 1 1 2 3]]
// → shape (1, 5), int32
// → [[0 1 2 3]]
// → shape (1, 4), int32
