// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { Hashing } from 'maskflow/text';

await ready();
// Any number of products in a table of 4 rows, without a vocabulary; 0 is padding
const products = new Hashing({ numBins: 4, maskValue: '' });
console.log(String(products.apply([['tea', 'milk', ''], ['honey', 'tea', 'salt']])));
const salted = new Hashing({ numBins: 4, salt: [133, 137], outputMode: 'count' });
console.log(String(salted.apply([['tea', 'tea', 'milk']])));
// → [[2 3 0]
// →  [3 2 1]]
// → shape (2, 3), int32
// → [[0 0 0 3]]
// → shape (1, 4), float32
