// SPDX-License-Identifier: MIT
// MultiHeadAttention removes the masks of its arguments; this shows the order of layers, and which
// tensors are one object.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import * as mf from '../../dist/index.js';
import { replay } from '../support/graphs.js';

await mf.ready({ onMaskDropped: 'silent' });
const { layers } = mf;
const attention = () => layers.multiHeadAttention({ numHeads: 1, keyDim: 2 });
const ids = () => mf.tensor([[1, 2, 0]], { dtype: 'int32' });

for (const fromConfig of [false, true]) {
  const prepare = (model) => (fromConfig ? mf.Model.fromConfig(model.getConfig()) : model);
  const source = fromConfig ? 'loaded from a config' : 'as built';

  test(`of layers of one depth, the one that the outputs name last runs first: ${source}`, () => {
    const input = mf.Input({ shape: [3, 2] });
    const pooled = layers.globalAveragePooling1D().apply(input);
    const attentionOutput = attention().apply({ query: input, value: input });
    const x = mf
      .tensor([
        [
          [1, 1],
          [2, 2],
          [6, 6],
        ],
      ])
      .withMask(mf.tensor([[true, true, false]]));
    const outputsOf = (outputs) => prepare(new mf.Model({ inputs: input, outputs })).apply(x);
    assert.deepEqual(outputsOf([pooled, attentionOutput])[0].array(), [[3, 3]]);
    assert.deepEqual(outputsOf([attentionOutput, pooled])[1].array(), [[1.5, 1.5]]);
  });

  test(`a layer that passes its tensor on also loses its mask: ${source}`, () => {
    const passThrough = [
      layers.dropout({ rate: 0.2 }),
      layers.identity(),
      layers.spatialDropout1D({ rate: 0.2 }),
      layers.gaussianNoise({ stddev: 0.1 }),
      layers.gaussianDropout({ rate: 0.1 }),
      layers.alphaDropout({ rate: 0.1 }),
      layers.activityRegularization(),
      layers.activation({ activation: 'linear' }),
    ];
    for (const layer of passThrough) {
      const input = mf.Input({ shape: [3], dtype: 'int32' });
      const x = layers.embedding({ inputDim: 4, outputDim: 2, maskZero: true }).apply(input);
      const h = layer.apply(x);
      const sum = layers.add().apply([x, attention().apply({ query: h, value: h })]);
      const model = prepare(
        new mf.Model({ inputs: input, outputs: layers.dense({ units: 1 }).apply(sum) }),
      );
      assert.equal(model.apply(ids()).mask, null, layer.className);
    }
  });

  test(`a nested model attaches the mask of its call to its input: ${source}`, () => {
    const inner = mf.Input({ shape: [3, 2] });
    const nested = new mf.Model({
      inputs: inner,
      outputs: layers.dense({ units: 2 }).apply(inner),
    });
    const input = mf.Input({ shape: [3, 2] });
    const mask = mf.Input({ shape: [3], dtype: 'bool' });
    const y = nested.apply(input, { mask });
    const late = layers.add().apply([input, y]);
    const model = prepare(new mf.Model({ inputs: [input, mask], outputs: late }));
    const keptSteps = mf.tensor([[true, false, true]]);
    const result = model.apply([mf.ops.ones([1, 3, 2]), keptSteps]);
    assert.deepEqual(result.mask?.array(), [[true, false, true]]);
  });
}

test('a model does not change the mask of its argument', () => {
  const input = mf.Input({ shape: [3, 2] });
  const model = new mf.Model({
    inputs: input,
    outputs: attention().apply({ query: input, value: input }),
  });
  const x = mf.ops.ones([1, 3, 2]).withMask(mf.tensor([[true, true, false]]));
  model.apply(x);
  assert.notEqual(x.mask, null);
});

const recording = new URL('../fixtures/random_graphs/graphs.jsonl', import.meta.url);
test("random graphs have Keras's results", () => {
  for (const line of readFileSync(recording, 'utf8').trim().split('\n')) {
    const graph = JSON.parse(line);
    assert.equal(replay(graph), null, graph.name);
  }
});
