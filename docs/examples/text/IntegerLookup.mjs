// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { IntegerLookup } from 'maskflow/text';

await ready();
// A table of 4 rows in place of 1201
const products = new IntegerLookup({ vocabulary: [1200, 36, 7] });
console.log(String(products.apply([[36, 1200, 99]]))); // 0: not in the vocabulary
const inverse = new IntegerLookup({ vocabulary: [1200, 36, 7], invert: true });
console.log(inverse.apply([[2, 1]]).join());
// → [[2 1 0]]
// → shape (1, 3), int32
// → 36,1200
