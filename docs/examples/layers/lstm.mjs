// SPDX-License-Identifier: MIT
import { layers, padSequences, ready } from 'maskflow';

await ready({ seed: 1 });
const embed = layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true });
const lstm = layers.lstm({ units: 3 });
const answer = (ids) => String(lstm.apply(embed.apply(ids)));
const short = padSequences([[4, 7, 2]], { padding: 'post' });
const long = padSequences([[4, 7, 2]], { padding: 'post', maxlen: 50 });
console.log(lstm.apply(embed.apply(long)).shape.join());
console.log(answer(short) === answer(long)); // 47 steps of padding change nothing
// → 1,3
// → true
