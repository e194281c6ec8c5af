// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { StringLookup } from 'maskflow/text';

await ready();
const tags = new StringLookup({ vocabulary: ['noun', 'verb'] });
console.log(String(tags.apply([['noun', 'verb', 'comma']]))); // 0: not in the vocabulary
const back = new StringLookup({ vocabulary: ['noun', 'verb'], invert: true });
console.log(back.apply([[1, 2, 0]]).join());
const several = new StringLookup({ vocabulary: ['noun', 'verb'], outputMode: 'multi_hot' });
console.log(String(several.apply([['verb', 'noun', 'verb']])));
// → [[1 2 0]]
// → shape (1, 3), int32
// → noun,verb,[UNK]
// → [[0 1 1]]
// → shape (1, 3), float32
