// SPDX-License-Identifier: MIT
// Cost of a step of a stream after many others, beside predict on all of them: `node
// bench/decoder_step.mjs [simd | relaxed]`. The model is a pre-norm decoder block of width 128 with
// 4 heads and 512 inner units, and one sequence.
import { Input, layers, Model, ready, runtimeInfo, tensor } from '../dist/index.js';
import { inTurns } from './loop.mjs';

const width = 128;
const lengths = [128, 256, 512, 1024, 2048];

await ready({ variant: process.argv[2] ?? 'auto', seed: 1 });

function block() {
  const x = Input({ shape: [null, width] });
  const normal = layers.layerNormalization().apply(x);
  const heads = layers.multiHeadAttention({ numHeads: 4, keyDim: width / 4 });
  const attention = heads.apply({ query: normal, value: normal }, { useCausalMask: true });
  const y = layers.add().apply([x, attention]);
  const inner = layers.dense({ units: 4 * width, activation: 'gelu' });
  const outputs = layers
    .dense({ units: width })
    .apply(inner.apply(layers.layerNormalization().apply(y)));
  return new Model({ inputs: x, outputs: layers.add().apply([y, outputs]) });
}

const model = block();
const numbers = (n) => Float32Array.from({ length: n }, (_, i) => Math.sin(i * 12.9898) * 0.9);
const out = new Float32Array(width);
const step = numbers(width);
console.log(`${runtimeInfo().variant}, Node ${process.version}, medians in ms`);
console.log('steps before   a step   predict on all   ratio   KB kept');
for (const length of lengths) {
  const x = tensor(numbers(length * width), { shape: [1, length, width] });
  const stream = model.stream();
  stream.step(x).dispose();
  const begun = stream.clone();
  for (let i = 0; i < 20; i++) begun.step(step, { out });
  begun.dispose();
  const runs = {
    step: () => stream.step(step, { out }),
    predict: () => model.predict(x).dispose(),
  };
  const times = await inTurns(runs, { rounds: 11, turn: 5 });
  const [a, b, ratio] = [times.step.median, times.predict.median, times.predict.ratio];
  const kilobytesKept = (length * 2 * width * 4) / 1024;
  const columns = [
    String(length).padStart(12),
    a.toFixed(3).padStart(9),
    b.toFixed(2).padStart(17),
  ];
  console.log(columns.join(''), ratio.toFixed(0).padStart(7), kilobytesKept.toFixed(0).padStart(9));
  stream.dispose();
  x.dispose();
}
