// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow/train';

await ready();
const wave = (hertz) => (_, i) => Math.sin((i * hertz * 2 * Math.PI) / 8000);
const tone = (hertz) => Array.from({ length: 1600 }, wave(hertz));
const layer = layers.melSpectrogram({
  fftLength: 512, sequenceStride: 400, samplingRate: 8000, numMelBins: 10,
});
const mel = layer.apply([tone(300), tone(3000)]); // [batch, bands, frames]
console.log(String(mel.shape));
const loudest = ops.argmax(ops.max(mel, { axis: 2 }), { axis: 1 }); // of the 10 bands
console.log(loudest.array().join(' '));
// → 2,10,5
// → 1 9
