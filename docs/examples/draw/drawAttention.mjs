// SPDX-License-Identifier: MIT
import { layers, ready } from 'maskflow';
import { drawAttention } from 'maskflow/draw';

await ready({ seed: 1 });
const words = ['the', 'cat', 'sat', 'down', 'padding', 'padding'];
const random = { class_name: 'RandomNormal', config: { stddev: 3 } };
const options = { inputDim: 9, outputDim: 8, maskZero: true };
const embed = layers.embedding({ ...options, embeddingsInitializer: random });
const x = embed.apply([[1, 2, 3, 4, 0, 0]]);
const mask = x.mask; // attention removes the mask from its inputs
const attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 8 });
const [, scores] = attention.apply({ query: x, value: x }, { returnAttentionScores: true });
const svg = drawAttention(scores, { mask, queries: words, keys: words });
console.log(/<desc>(.*?);/.exec(svg)[1]);
// → 2 heads, 6 × 6 queries and keys
