// SPDX-License-Identifier: MIT
import { Input, layers, ops, ready, Sequential } from 'maskflow';

await ready({ seed: 1 });
const model = new Sequential([Input({ shape: [null, 1] }), layers.gru({ units: 2 })]);
const stream = model.stream();
stream.step([[1]]);
const last = stream.step([[2]]); // the same as after the whole sequence
const whole = model.predict([[[1], [2]]]);
const difference = ops.max(ops.abs(ops.subtract(last, whole)));
console.log(difference.item() < 1e-6);
stream.dispose();
// → true
