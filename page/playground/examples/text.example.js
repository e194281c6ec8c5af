// SPDX-License-Identifier: MIT
// From text to ids to a prediction for each word.
import { layers, ready, Sequential } from 'maskflow';
import { TextVectorization } from 'maskflow/text';

await ready({ seed: 7 });
const words = new TextVectorization({
  vocabulary: ['a', 'good', 'bad', 'film'],
  outputSequenceLength: 6,
});
const ids = words.apply(['A good film!', 'a bad, bad film', 'Good?']);
console.log(String(ids));
const tagger = new Sequential([
  layers.embedding({ inputDim: words.vocabularySize(), outputDim: 8, maskZero: true }),
  layers.gru({ units: 4, returnSequences: true }),
  layers.dense({ units: 2, activation: 'softmax' }),
]);
console.log(String(tagger.predict(ids))); // with its mask, which the layers passed on
