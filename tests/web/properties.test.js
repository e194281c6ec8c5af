// SPDX-License-Identifier: MIT
// Properties over random masks: padding, other rows of the batch and masked values never matter,
// and recurrent layers equal a naive loop.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { run } from '../support/naive_rnn.js';
import { block, forSeeds, maskOf, shapes, integer } from '../support/random.js';
import { close } from '../support/watch.js';

before(() => mf.ready({ seed: 11, onMaskDropped: 'silent', maskPropagation: 'keras-3.15' }));

const { layers, ops, tensor, tidy } = mf;
const kinds = ['simpleRNN', 'lstm', 'gru'];
const seeds = 12;
const zeroRow = (count) => Array(count).fill(0);

/** Draws a random case: sizes that fill whole vectors, and sizes that leave a remainder. */
function sample(random, shape) {
  const [batch, time, features, units] = [
    integer(random, 1, 9),
    integer(random, 1, 8),
    integer(random, 1, 6),
    integer(random, 1, 9),
  ];
  return {
    batch,
    time,
    features,
    units,
    x: block(random, batch, time, features),
    mask: maskOf(random, shape, batch, time),
  };
}

const masked = ({ x, mask }) => tensor(x).withMask(mask);
const values = (outputs) => [outputs].flat().map((y) => y.array());

/** Functions that create the layers that use masks, with all their outputs. */
const makers = {
  ...Object.fromEntries(
    kinds.flatMap((kind) => [
      [kind, (units) => layers[kind]({ units, returnSequences: true, returnState: true })],
      [`${kind}, last output`, (units) => layers[kind]({ units })],
    ]),
  ),
  'rnn of stacked cells': (units) =>
    layers.rnn({
      cell: [layers.lstmCell({ units }), layers.gruCell({ units: units + 1 })],
      returnSequences: true,
    }),
  bidirectional: (units) =>
    layers.bidirectional({ layer: layers.lstm({ units, returnSequences: true }) }),
  'bidirectional, last output': (units) => layers.bidirectional({ layer: layers.gru({ units }) }),
  pooling: () => layers.globalAveragePooling1D(),
};

for (const shape of Object.keys(shapes)) {
  suite(`masks with padding: ${shape}`, () => {
    for (const kind of kinds) {
      test(`${kind} equals the naive loop: every step, states, backwards, zeros at masked steps`, () => {
        forSeeds(seeds, (random) => {
          const data = sample(random, shape);
          for (const [backwards, zero] of [
            [false, false],
            [true, false],
            [false, true],
          ]) {
            tidy(() => {
              const layer = layers[kind]({
                units: data.units,
                returnSequences: true,
                returnState: true,
                goBackwards: backwards,
                zeroOutputForMask: zero,
              });
              const [y, ...states] = layer.apply(masked(data));
              const weights = layer.getWeights().map((w) => w.array());
              const expected = run(kind, data.x, data.mask, weights, data.units, {
                backwards,
                zero,
              });
              close(
                y.array(),
                expected.outputs,
                1e-5,
                `backwards ${backwards}, zero ${zero}: outputs`,
              );
              close(
                values(states),
                expected.states,
                1e-5,
                `backwards ${backwards}, zero ${zero}: states`,
              );
              layer.dispose();
            });
          }
        });
      });
    }

    for (const [name, make] of Object.entries(makers)) {
      test(`${name}: NaN and infinities at masked steps never affect results`, () => {
        forSeeds(seeds, (random) => {
          const data = sample(random, shape);
          // Keras's pooling multiplies by the mask, and 0 · NaN is NaN; so only finite values are
          // used there.
          const worst = name === 'pooling' ? 0 : 3;
          const poison = () =>
            [1e30, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][
              integer(random, 0, worst)
            ];
          const x = data.x.map((row, i) =>
            row.map((step, t) => (data.mask[i][t] ? step : step.map(poison))),
          );
          tidy(() => {
            const layer = make(data.units);
            assert.deepEqual(
              values(layer.apply(masked({ ...data, x }))),
              values(layer.apply(masked(data))),
            );
            layer.dispose();
          });
        });
      });

      test(`${name}: other rows of the batch do not matter`, () => {
        forSeeds(seeds, (random) => {
          const data = sample(random, shape);
          tidy(() => {
            const layer = make(data.units);
            const together = values(layer.apply(masked(data)));
            for (let row = 0; row < data.batch; row++) {
              const single = { x: [data.x[row]], mask: [data.mask[row]] };
              const separate = values(layer.apply(masked(single)));
              close(
                separate,
                together.map((output) => [output[row]]),
                2e-6,
                `row ${row}:`,
              );
            }
            layer.dispose();
          });
        });
      });

      test(`${name}: more padding changes nothing at the existing steps`, () => {
        forSeeds(seeds, (random) => {
          const data = sample(random, shape);
          const more = integer(random, 1, 4);
          const atEnd = shape !== 'left';
          const extend = (row, padding) => (atEnd ? [...row, ...padding] : [...padding, ...row]);
          const longer = {
            x: data.x.map((row) => extend(row, block(random, more, data.features))),
            mask: data.mask.map((row) => extend(row, Array(more).fill(false))),
          };
          tidy(() => {
            const layer = make(data.units);
            const short = values(layer.apply(masked(data)));
            const long = values(layer.apply(masked(longer)));
            const steps = (output) =>
              output[0].length === data.time + more && Array.isArray(output[0][0])
                ? output.map((row) => (atEnd ? row.slice(0, data.time) : row.slice(more)))
                : output;
            close(long.map(steps), short, 1e-6);
            layer.dispose();
          });
        });
      });
    }

    test('layers that pass masks on return the same values at kept steps as without a mask', () => {
      forSeeds(seeds, (random) => {
        const data = sample(random, shape);
        const list = [
          layers.dense({ units: data.units }),
          layers.layerNormalization(),
          layers.timeDistributed({ layer: layers.dense({ units: 2 }) }),
        ];
        tidy(() => {
          for (const layer of list) {
            const y = layer.apply(masked(data));
            assert.deepEqual(y.mask.array(), data.mask, layer.className);
            assert.deepEqual(y.array(), layer.apply(tensor(data.x)).array(), layer.className);
            layer.dispose();
          }
        });
      });
    });

    test('pooling averages the kept steps', () => {
      forSeeds(seeds, (random) => {
        const data = sample(random, shape);
        const expected = data.x.map((row, i) => {
          const keptSteps = row.filter((_, t) => data.mask[i][t]);
          const total = keptSteps.reduce(
            (sum, step) => sum.map((s, f) => s + step[f]),
            zeroRow(data.features),
          );
          return total.map((s) => s / keptSteps.length);
        });
        tidy(() => {
          const layer = layers.globalAveragePooling1D();
          close(layer.apply(masked(data)).array(), expected, 1e-5);
          layer.dispose();
        });
      });
    });

    test('masking zeroes and keeps the expected steps, for any mask value', () => {
      forSeeds(seeds, (random) => {
        const data = sample(random, shape);
        const maskValue = [0, -1, 0.5][integer(random, 0, 2)];
        const x = data.x.map((row, i) =>
          row.map((step, t) => (data.mask[i][t] ? step : step.map(() => maskValue))),
        );
        tidy(() => {
          const y = layers.masking({ maskValue }).apply(tensor(x));
          assert.deepEqual(y.mask.array(), data.mask);
          assert.deepEqual(
            y.array(),
            data.x.map((row, i) =>
              row.map((step, t) => (data.mask[i][t] ? step : step.map(() => 0))),
            ),
          );
        });
      });
    });

    test('a model has equal results eagerly, in batches and as a graph', () => {
      forSeeds(seeds, (random) => {
        const data = sample(random, shape);
        const ids = data.mask.map((row) => row.map((keep) => (keep ? integer(random, 1, 9) : 0)));
        const idTensor = tensor(ids, { dtype: 'int32' });
        const parts = [
          layers.embedding({ inputDim: 10, outputDim: data.features, maskZero: true }),
          layers.bidirectional({ layer: layers.gru({ units: data.units, returnSequences: true }) }),
          layers.dense({ units: 3 }),
          layers.lstm({ units: data.units }),
        ];
        const eager = parts.reduce((y, layer) => layer.apply(y), idTensor).array();
        const input = mf.Input({ shape: [null], dtype: 'int32' });
        const graph = new mf.Model({
          inputs: input,
          outputs: parts.reduce((y, layer) => layer.apply(y), input),
        });
        close(graph.predict(idTensor).array(), eager, 1e-6);
        close(graph.predict(idTensor, { batchSize: 2 }).array(), eager, 2e-6);
        const longer = ids.map((row) => [...row, 0, 0]);
        close(
          graph.predict(tensor(longer, { dtype: 'int32' })).array(),
          eager,
          1e-6,
          'more padding:',
        );
        assert.equal(ops.notEqual(idTensor, 0).array().flat().join(), data.mask.flat().join());
      });
    });
  });
}

test('pooling ignores a NaN at a masked step', () => {
  const x = tensor([[[1], [Number.NaN]]]).withMask([[true, false]]);
  assert.equal(layers.globalAveragePooling1D().apply(x).item(), 1);
});

test('dense: one row alone, two together and four have the same bits', () => {
  forSeeds(seeds, (random) => {
    for (const units of [1, 7, 8, 31, 32, 33, 64, 75]) {
      const x = block(random, 4, integer(random, 1, 19));
      tidy(() => {
        const layer = layers.dense({ units, biasInitializer: 'glorot_uniform' });
        const four = layer.apply(tensor(x)).array();
        for (const rows of [1, 2]) {
          const actual = layer.apply(tensor(x.slice(0, rows))).array();
          assert.deepEqual(actual, four.slice(0, rows), `${rows} of ${x[0].length} by ${units}`);
        }
        layer.dispose();
      });
    }
  });
});
