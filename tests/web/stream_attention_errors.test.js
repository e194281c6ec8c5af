// SPDX-License-Identifier: MIT
// Streams refuse attention that is not causal, states that do not fit, and more steps than they
// keep.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { causalAttention } from '../support/causal_attention.js';
import { live } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent', seed: 5 }));

const { Input, layers, Model, ops, tensor } = mf;
const numbers = (n) => Float32Array.from({ length: n }, (_, i) => Math.sin(i + n));

test('states that do not fit are errors that change nothing', () => {
  const model = causalAttention(mf).MultiHeadAttention();
  const [{ name }] = model.layers.slice(-1);
  const stream = model.stream();
  for (let t = 0; t < 3; t++) stream.step(numbers(4)).dispose();
  const validState = stream.state;
  const setChanged = (change) => () => {
    const [state] = structuredClone(validState);
    change(state.tensors);
    stream.state = [state];
  };
  const cases = [
    [setChanged((t) => t.pop()), 'ShapeError', /has 4 tensors but must have 5/],
    [
      setChanged((t) => t.splice(1, 1, { shape: [1, 2, 10], data: Array(20).fill(0) })),
      'ShapeError',
      /\(1, 2, 10\) but must be \(1, 3, 10\)/,
    ],
    [
      setChanged((t) => t.splice(0, 1, { shape: [1, 3, 5], data: Array(15).fill(0) })),
      'ShapeError',
      /\(1, 3, 5\) but must be \(1, 3, 6\)/,
    ],
    [
      setChanged((t) => t[2].data.reverse()),
      'ValueError',
      /3 kept of 3 steps but .* increasing integers/,
    ],
    [setChanged((t) => t[2].data.fill('NaN')), 'ValueError', /increasing integers/],
    [setChanged((t) => t[4].data.fill(-1)), 'ValueError', /3 kept of -1 steps/],
  ];
  for (const [act, kind, message] of cases) {
    assert.throws(act, (error) => {
      assert.equal(error.name, kind);
      assert.match(error.message, message);
      assert.ok(error.message.includes(`'${name}'`));
      return true;
    });
    assert.deepEqual(stream.state, validState);
  }
});

test('more steps than a stream keeps are an error before anything is computed', () => {
  mf.tidy(() => {
    const x = Input({ shape: [null, 2] });
    const y = layers.lstm({ units: 2, returnSequences: true }).apply(x);
    const outputs = layers.attention({ name: 'looks_back' }).apply([y, y], { useCausalMask: true });
    const model = new Model({ inputs: x, outputs });
    const stream = model.stream();
    stream.step(numbers(2));
    const full = stream.state;
    const max = 65536;
    const zeros = { shape: [1, max, 2], data: Array(2 * max).fill(0) };
    full[1].tensors[0] = full[1].tensors[1] = zeros;
    full[1].tensors[2] = {
      shape: [1, max, 1],
      data: Array.from({ length: max }, (_, i) => i + 1),
    };
    full[1].tensors[4].data[0] = max;
    stream.state = full;
    assert.throws(() => stream.step(numbers(2)), {
      name: 'StateError',
      message:
        /'looks_back' keeps 65536 of 65536 steps .* received 1 more; the limit is 65536 .*reset\(\).*sliding_window/,
    });
    assert.deepEqual(stream.state[0], full[0], 'the layer before it is unchanged');
    full[1].tensors[0] = { shape: [1, max + 1, 2], data: Array(2 * max + 2).fill(0) };
    full[1].tensors[1] = full[1].tensors[0];
    full[1].tensors[2] = {
      shape: [1, max + 1, 1],
      data: Array.from({ length: max + 1 }, (_, i) => i + 1),
    };
    full[1].tensors[4].data[0] = max + 1;
    assert.throws(
      () => {
        stream.state = full;
      },
      { name: 'ValueError', message: /65537 kept of 65537 steps but must have at most 65536/ },
    );
    stream.reset();
    stream.step(numbers(2));
  });
});

test('attention that is not causal, mixes steps or needs the position is refused', () => {
  const graph = (build) => {
    const x = Input({ shape: [null, 4] });
    return new Model({ inputs: x, outputs: build(x) });
  };
  const causal = { useCausalMask: true };
  const heads = (config) =>
    layers.multiHeadAttention({ numHeads: 2, keyDim: 2, name: 'heads', ...config });
  const memory = (x) => layers.repeatVector({ n: 3 }).apply(layers.gru({ units: 4 }).apply(x));
  const cases = [
    [
      graph((x) => heads().apply({ query: x, value: x })),
      /layer 'heads' \(MultiHeadAttention\) attends to later steps; call it with use_causal_mask/,
    ],
    [
      graph((x) => layers.additiveAttention().apply([x, x])),
      /\(AdditiveAttention\) attends to later steps/,
    ],
    [
      graph((x) =>
        heads().apply(
          { query: x, value: x },
          { ...causal, attentionMask: tensor([[[1]]], { dtype: 'bool' }) },
        ),
      ),
      /has an attention mask, which needs whole sequences; use use_causal_mask/,
    ],
    [graph((x) => heads().apply({ query: memory(x), value: x })), /with a query that has no time/],
    [
      graph((x) => heads().apply({ query: x, value: memory(x) }, causal)),
      /has use_causal_mask or sliding_window, but a value without a time axis/,
    ],
    [
      graph((x) => heads({ slidingWindow: 2 }).apply({ query: x, value: memory(x) })),
      /sliding_window, but a value without a time axis; omit them/,
    ],
    [
      graph((x) =>
        ops.mean(
          heads().apply({ query: x, value: x }, { ...causal, returnAttentionScores: true })[1],
          { axis: 1 },
        ),
      ),
      /\(Mean\) uses the scores of 'heads', which get a column/,
    ],
    [
      graph((x) =>
        layers.einsumDense({ equation: 'abc,cd->adb', outputShape: [2, null] }).apply(x),
      ),
      /\(EinsumDense\) does not keep batch and time as .*'abc,cd->adb'; use an equation/,
    ],
    [
      new Model(
        (() => {
          const x = Input({ shape: [3, 4] });
          return {
            inputs: x,
            outputs: layers.einsumDense({ equation: 'abc,bd->adc', outputShape: [3, 4] }).apply(x),
          };
        })(),
      ),
      /\(EinsumDense\)/,
    ],
    [
      new Model(
        (() => {
          const x = Input({ shape: [3, 4] });
          return {
            inputs: x,
            outputs: layers
              .einsumDense({ equation: 'abc,cd->abd', outputShape: [3, 4], biasAxes: 'bd' })
              .apply(x),
          };
        })(),
      ),
      /\(EinsumDense\)/,
    ],
    [
      graph((x) => ops.cumsum(ops.onesLike(x), { axis: 1 })),
      /\(Cumsum\) does not compute each step .* if it depends on the position, pass the positions as a second input of the model; else call predict/,
    ],
    [
      new Model(
        (() => {
          const x = Input({ shape: [3, 4] });
          return { inputs: x, outputs: ops.add(x, ops.ones([3, 4])) };
        })(),
      ),
      /op .Add. \(Add\) does not compute each step from that step only; .*pass the positions as a second input/,
    ],
    [
      graph((x) =>
        new (class Positions extends mf.Layer {
          call(y) {
            return ops.add(y, 1);
          }
        })({ name: 'places' }).apply(x),
      ),
      /layer 'places' \(Positions\) is a custom layer.* pass the positions as a second input/,
    ],
  ];
  const start = live();
  for (const [model, message] of cases) {
    assert.throws(() => model.stream(), { name: 'UnsupportedError', message });
  }
  assert.deepEqual(live(), start);
});

test('`out` for a result that grows is an error that names the remedy', () => {
  const x = Input({ shape: [null, 4] });
  const call = { useCausalMask: true, returnAttentionScores: true };
  const [, scores] = layers.attention().apply([x, x], call);
  const stream = new Model({ inputs: x, outputs: scores }).stream();
  assert.throws(() => stream.step(numbers(4), { out: new Float32Array(1) }), {
    name: 'ValueError',
    message: /'out'.*grows.*leave it out/,
  });
  assert.deepEqual(stream.step(numbers(4)).shape, [1, 1]);
  assert.deepEqual(stream.step(numbers(4)).shape, [1, 2]);
});
