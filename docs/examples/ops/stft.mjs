// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const tone = Array.from({ length: 32 }, (_, i) => Math.cos((i * Math.PI) / 2));
const [real, imaginary] = ops.stft(tone, 8, 8, 8, { center: false });
const power = ops.add(ops.square(real), ops.square(imaginary));
const strongest = ops.argmax(power, { axis: 1 }); // frequency 2 of 8
console.log(String(power.shape), String(strongest.array()));
// → 4,5 2,2,2,2
