// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow/train';

await ready();
// A tone of two cycles in each frame of 8 samples
const tone = Array.from({ length: 32 }, (_, i) => [Math.cos((i * Math.PI) / 2)]);
const layer = layers.stftSpectrogram({ mode: 'magnitude', frameLength: 8, padding: 'same' });
const spectrum = layer.apply([tone]); // frames of 8 samples, 4 samples apart
console.log(String(spectrum.shape));
console.log(ops.argmax(spectrum, { axis: -1 }).array().join(' ')); // the strongest frequency
console.log(layer.weights.map(({ name, shape }) => `${name} ${shape}`).join(', '));
// → 1,8,5
// → 2,2,2,2,2,2,2,2
// → real_kernel 8,1,5, imag_kernel 8,1,5
