// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const attention = layers.additiveAttention({ useScale: false });
const query = tensor([[[0]]]);
const value = tensor([[[20], [-20], [20]]]); // scores tanh(query + value): 1, -1, 1
const options = { returnAttentionScores: true };
const [, all] = attention.apply([query, value], options);
const [, two] = attention.apply([query, value.withMask([[true, true, false]])], options);
console.log(String(all));
console.log(String(two)); // the third step is masked: its weight goes to the others
// → [[[ 0.468311 0.0633789  0.468311]]]
// → shape (1, 1, 3), float32
// → [[[0.880797 0.119203        0]]]
// → shape (1, 1, 3), float32
