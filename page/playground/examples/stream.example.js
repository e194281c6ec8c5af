// SPDX-License-Identifier: MIT
// One step at a time, as data arrives; the answer is that of the whole sequence.
import { Input, layers, ready, Sequential } from 'maskflow';

await ready({ seed: 7 });
const model = new Sequential([
  Input({ shape: [null, 2] }),
  layers.lstm({ units: 8, returnSequences: true }),
  layers.dense({ units: 1 }),
]);
const stream = model.stream();
const samples = Array.from({ length: 5 }, (_, t) => [Math.sin(t), Math.cos(t)]);
const whole = model.predict([samples]).array()[0];
for (const [t, sample] of samples.entries()) {
  console.log(`step ${t}:`, stream.step([sample]).item(), '=', whole[t][0]);
}
