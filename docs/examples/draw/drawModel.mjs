// SPDX-License-Identifier: MIT
import { Input, layers, Model, ops, padSequences, ready } from 'maskflow';
import { drawModel } from 'maskflow/draw';

await ready({ onMaskDropped: 'silent' });
const ids = Input({ shape: [null], dtype: 'int32', name: 'ids' });
const words = layers
  .embedding({ inputDim: 5000, outputDim: 16, maskZero: true, name: 'words' })
  .apply(ids);
const read = layers.lstm({ units: 16, returnSequences: true, name: 'read' }).apply(words);
const plusOne = ops.add(words, 1); // an operation: its result has no mask
const mixed = layers.dense({ units: 16, name: 'mix' }).apply(plusOne);
const sum = layers.add({ name: 'sum' }).apply([read, mixed]);
const mean = layers.globalAveragePooling1D({ name: 'mean' }).apply(sum);
const answer = layers.dense({ units: 1, activation: 'sigmoid', name: 'answer' }).apply(mean);
const model = new Model({ inputs: ids, outputs: answer, name: 'two_paths' });
const batch = padSequences([[711, 632, 71], [73, 8, 3215, 55, 927]], { padding: 'post' });
const svg = drawModel(model, batch);
console.log(/<desc>(.*)<\/desc>/.exec(svg)[1]);
// → Model &#39;two_paths&#39; with 8 nodes. ids (InputLayer). words (Embedding) after ids: makes the mask. add (operation Add) after words: drops the mask. read (LSTM) after words: uses and passes the mask. mix (Dense) after add. sum (Add) after read, mix: drops the mask. mean (GlobalAveragePooling1D) after sum. answer (Dense) after mean.
