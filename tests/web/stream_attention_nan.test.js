// SPDX-License-Identifier: MIT
// Non-finite numbers in streams with attention lead to NaN from their step on, masked or not, as in
// predict.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';

const { Input, layers, Model, ops, tensor } = mf;
await mf.ready({ onMaskDropped: 'silent', seed: 3 });

const kBatch = 2;
const kTime = 6;
const kWidth = 3;
const causal = { useCausalMask: true };
const kinds = {
  attention: (x) => layers.attention().apply([x, x], causal),
  'attention with scores': (x) =>
    layers.attention().apply([x, x], { ...causal, returnAttentionScores: true }),
  additiveAttention: (x) => layers.additiveAttention().apply([x, x], causal),
  multiHeadAttention: (x) => {
    const layer = layers.multiHeadAttention({ numHeads: 2, keyDim: 2 });
    return layer.apply({ query: x, value: x }, causal);
  },
  'multiHeadAttention with dropout': (x) => {
    const layer = layers.multiHeadAttention({ numHeads: 2, keyDim: 2, dropout: 0.5 });
    return layer.apply({ query: x, value: x }, causal);
  },
  'multiHeadAttention in a window': (x) => {
    const layer = layers.multiHeadAttention({ numHeads: 1, keyDim: 2, slidingWindow: 2 });
    return layer.apply({ query: x, value: x }, causal);
  },
  groupQueryAttention: (x) => {
    const layer = layers.groupQueryAttention({ headDim: 2, numQueryHeads: 2, numKeyValueHeads: 1 });
    return layer.apply({ query: x, value: x }, causal);
  },
};
const patternOf = (t) => [...t.data()].map((x) => (Number.isFinite(x) ? 1 : 0)).join('');
const part = (x, first, count) => {
  const otherAxes = x.shape.slice(2);
  return ops.slice(x, [0, first, ...otherAxes.map(() => 0)], [kBatch, count, ...otherAxes]);
};

for (const [name, apply] of Object.entries(kinds)) {
  // Infinities are left out where scores may become -infinity, because predict() then returns some
  // finite numbers.
  const numbers = /head|query/i.test(name) ? [Number.NaN, Number.POSITIVE_INFINITY] : [Number.NaN];
  for (const value of numbers) {
    for (const at of [0, 2]) {
      test(`${name}: ${value} at masked step ${at} has the same effect in a stream as in predict`, () => {
        const input = Input({ shape: [null, kWidth] });
        const model = new Model({ inputs: input, outputs: apply(input) });
        const data = Float32Array.from({ length: kBatch * kTime * kWidth }, (_, i) => Math.sin(i));
        // Only the first sequence has the special number; the second stays finite.
        data[at * kWidth + 1] = value;
        const x = tensor(data, { shape: [kBatch, kTime, kWidth] });
        const keptSteps = Array.from({ length: kBatch * kTime }, (_, i) => i % kTime !== at);
        const mask = tensor(Uint8Array.from(keptSteps), { shape: [kBatch, kTime], dtype: 'bool' });
        const outputs = (result) => [result].flat()[0];

        const single = model.stream({ batchSize: kBatch });
        let savedState;
        const steps = [];
        for (let t = 0; t < kTime; t++) {
          const options = { mask: part(mask, t, 1) };
          steps.push(outputs(single.step(part(x, t, 1), options)));
          const fromStart = model.predict(part(x, 0, t + 1), { mask: part(mask, 0, t + 1) });
          assert.equal(patternOf(steps[t]), patternOf(part(outputs(fromStart), t, 1)), `step ${t}`);
          if (t === 3) savedState = single.state;
        }
        // The results do not depend on how the sequence is cut.
        for (const cut of [[kTime], [1, 4, 1]]) {
          const several = model.stream({ batchSize: kBatch });
          let first = 0;
          for (const count of cut) {
            const actual = outputs(
              several.step(part(x, first, count), { mask: part(mask, first, count) }),
            );
            const expected = ops.concatenate(steps.slice(first, first + count), { axis: 1 });
            assert.equal(patternOf(actual), patternOf(expected), `steps from ${first}`);
            first += count;
          }
        }
        // The NaN is part of the stream's state, and reset() removes it.
        const copy = model.stream({ batchSize: kBatch });
        copy.state = savedState;
        const last = copy.step(part(x, 4, 1), { mask: part(mask, 4, 1) });
        assert.equal(patternOf(outputs(last)), patternOf(steps[4]));
        copy.reset();
        const fresh = outputs(copy.step(part(x, 4, 1), { mask: part(mask, 4, 1) }));
        assert.ok(!patternOf(fresh).includes('0'));
      });
    }
  }
}
