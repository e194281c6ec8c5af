// SPDX-License-Identifier: MIT
// Cost of a step of a stream after many others, beside predict on all of them: `node
// bench/decoder_step.mjs [simd | relaxed]`. The model is a pre-norm decoder block of width 128 with
// 4 heads and 512 inner units, and one sequence.
import { Input, layers, Model, ready, runtimeInfo, tensor } from '../dist/index.js';
import { median } from './samples.mjs';

const kWidth = 128;
const kLengths = [128, 256, 512, 1024, 2048];

await ready({ variant: process.argv[2] ?? 'auto', seed: 1 });

function block() {
  const x = Input({ shape: [null, kWidth] });
  const normal = layers.layerNormalization().apply(x);
  const heads = layers.multiHeadAttention({ numHeads: 4, keyDim: kWidth / 4 });
  const attention = heads.apply({ query: normal, value: normal }, { useCausalMask: true });
  const y = layers.add().apply([x, attention]);
  const inner = layers.dense({ units: 4 * kWidth, activation: 'gelu' });
  const outputs = layers
    .dense({ units: kWidth })
    .apply(inner.apply(layers.layerNormalization().apply(y)));
  return new Model({ inputs: x, outputs: layers.add().apply([y, outputs]) });
}

function millisecondsOf(f) {
  const start = performance.now();
  f();
  return performance.now() - start;
}

const model = block();
const numbers = (n) => Float32Array.from({ length: n }, (_, i) => Math.sin(i * 12.9898) * 0.9);
const out = new Float32Array(kWidth);
const step = numbers(kWidth);
console.log(`${runtimeInfo().variant}, Node ${process.version}, medians in ms`);
console.log('steps before   a step   predict on all   ratio   KB kept');
for (const length of kLengths) {
  const x = tensor(numbers(length * kWidth), { shape: [1, length, kWidth] });
  const stream = model.stream();
  stream.step(x).dispose();
  const begun = stream.clone();
  for (let i = 0; i < 20; i++) begun.step(step, { out });
  begun.dispose();
  const stepTimes = [];
  for (let i = 0; i < 100; i++) stepTimes.push(millisecondsOf(() => stream.step(step, { out })));
  const predictTimes = [];
  for (let i = 0; i < 11; i++) predictTimes.push(millisecondsOf(() => model.predict(x).dispose()));
  const [a, b] = [median(stepTimes), median(predictTimes)];
  const kilobytesKept = (length * 2 * kWidth * 4) / 1024;
  const columns = [
    String(length).padStart(12),
    a.toFixed(3).padStart(9),
    b.toFixed(2).padStart(17),
  ];
  console.log(
    columns.join(''),
    (b / a).toFixed(0).padStart(7),
    kilobytesKept.toFixed(0).padStart(9),
  );
  stream.dispose();
  x.dispose();
}
