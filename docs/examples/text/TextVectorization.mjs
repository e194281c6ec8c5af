// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';
import { TextVectorization } from 'maskflow/text';

await ready();
const words = new TextVectorization({ outputSequenceLength: 4 });
words.adapt(['The cat sat.', 'The dog sat, the dog ran.']); // the most frequent word first
console.log(words.getVocabulary().join('|')); // 0 is padding, 1 an unknown word
const ids = words.apply(['The dog!', 'A cat ran']);
console.log(String(ids));
const embed = layers.embedding({ inputDim: 8, outputDim: 2, maskZero: true });
console.log(String(embed.apply(ids).mask));
// → |[UNK]|the|sat|dog|ran|cat
// → [[2 4 0 0]
// →  [1 6 5 0]]
// → shape (2, 4), int32
// → [[T T F F]
// →  [T T T F]]
// → shape (2, 4), bool
