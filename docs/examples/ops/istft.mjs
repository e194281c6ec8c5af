// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const settings = [8, 4, 8]; // sequenceLength, sequenceStride, fftLength
const signal = Array.from({ length: 16 }, (_, i) => Math.sin(i));
const back = ops.istft(ops.stft(signal, ...settings), ...settings);
console.log(String(back.shape), ops.allclose(back, signal, { atol: 1e-5 }).item() === 1);
// → 16 true
