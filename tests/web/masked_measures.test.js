// SPDX-License-Identifier: MIT
// Masked steps are selected out of losses and metrics, whatever they hold: NaN there reaches no
// result and no gradient. CTC counts the kept steps.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  Input,
  layers,
  losses,
  Metric,
  metrics,
  Model,
  ops,
  random,
  ready,
  Sequential,
  tensor,
  valueAndGradients,
} from '../../dist/train.js';

before(() => ready({ seed: 1, onMaskDropped: 'silent' }));

const masks = {
  'at the end': [
    [true, true, false],
    [true, false, false],
  ],
  'in front and between': [
    [false, true, true],
    [true, false, true],
  ],
  'of a whole row': [
    [false, false, false],
    [true, true, false],
  ],
};
const isSparse = (name) => /^(sparse|categoricalGeneralized)/.test(name);
const mixing = ['circle', 'ctc', 'dice', 'tversky'];
const stepLosses = () => Object.keys(losses).filter((name) => !mixing.includes(name));

const probabilities = (seed) => ops.softmax(random.normal([2, 3, 4], { seed }));
const targets = (name) =>
  isSparse(name)
    ? [
        [0, 3, 1],
        [2, 2, 0],
      ]
    : random.uniform([2, 3, 4], { seed: 9 }).greater(0.5).cast('float32').array();
/** Puts a number into the masked steps of nested lists. */
const withMasked = (values, mask, number) =>
  values.map((row, i) =>
    row.map((step, j) =>
      mask[i][j] ? step : Array.isArray(step) ? step.map(() => number) : number,
    ),
  );
const finite = (x) => x.data().every(Number.isFinite);
const close = (a, b, tolerance = 1e-6) =>
  a.data().every((value, i) => Math.abs(value - b.data()[i]) <= tolerance);

for (const [where, mask] of Object.entries(masks)) {
  describe(`masked steps ${where}`, () => {
    test('NaN in targets changes neither a loss nor its gradient', () => {
      let compared = 0;
      for (const name of stepLosses()) {
        const y = targets(name);
        const p = probabilities(4).withMask(mask);
        for (const reduction of ['sum_over_batch_size', 'mean_over_kept', 'sum', 'none']) {
          const run = (truth) =>
            valueAndGradients(() => ops.sum(losses[name](truth, p, { reduction })), [p]);
          const clean = run(withMasked(y, mask, 0));
          for (const number of [Number.NaN, Infinity, -1]) {
            if (number === -1 && !isSparse(name)) continue;
            const { value, gradients } = run(withMasked(y, mask, number));
            assert.ok(finite(value) && finite(gradients[0]), `${name} ${reduction} ${number}`);
            assert.ok(close(value, clean.value), `${name} ${reduction}: ${value} ${clean.value}`);
            assert.ok(close(gradients[0], clean.gradients[0]), `${name} ${reduction}: gradient`);
            compared++;
          }
        }
      }
      assert.ok(compared > 150, `${compared}`);
    });

    test('NaN in predictions changes neither a loss nor its gradient', () => {
      for (const name of stepLosses()) {
        const y = targets(name);
        const clean = probabilities(4).withMask(mask);
        const p = tensor(withMasked(clean.array(), mask, Number.NaN)).withMask(mask);
        const run = (x) => valueAndGradients(() => losses[name](y, x), [x]);
        const [actual, expected] = [run(p), run(clean)];
        assert.ok(close(actual.value, expected.value), `${name}: ${actual.value}`);
        assert.ok(finite(actual.gradients[0]), `${name}: gradient`);
        assert.ok(close(actual.gradients[0], expected.gradients[0]), `${name}: gradient`);
      }
    });

    test('NaN in targets does not change a metric', () => {
      for (const name of stepLosses()) {
        const result = (number) => {
          const metric = metrics[name] ? metrics[name]() : new Metric(name);
          metric.updateState(
            withMasked(targets(name), mask, number),
            probabilities(4).withMask(mask),
          );
          return metric.result();
        };
        assert.ok(Math.abs(result(Number.NaN) - result(0)) < 1e-6, name);
      }
    });

    test('NaN in what a function returns, or in weights, does not change the result', () => {
      const p = probabilities(2).withMask(mask);
      const result = (number) => {
        const metric = new Metric(() =>
          tensor(
            withMasked(
              [
                [1, 2, 3],
                [4, 5, 6],
              ],
              mask,
              number,
            ),
          ),
        );
        metric.updateState(targets('mse'), p);
        return metric.result();
      };
      assert.equal(result(Number.NaN), result(0));
      const loss = (number) =>
        losses.meanSquaredError(targets('mse'), p, {
          sampleWeight: withMasked(
            [
              [1, 2, 3],
              [4, 5, 6],
            ],
            mask,
            number,
          ),
        });
      assert.equal(loss(Number.NaN).item(), loss(0).item());
    });

    test('CTC is that of the kept steps alone', () => {
      const y = [
        [1, 2, 0],
        [3, 0, 0],
      ];
      const logits = random.normal([2, 3, 4], { seed: 5 });
      const p = tensor(withMasked(logits.array(), mask, Number.NaN)).withMask(mask);
      const { value, gradients } = valueAndGradients(() => losses.ctc(y, p), [p]);
      const alone = mask.map((row, i) => {
        const steps = row.flatMap((kept, j) => (kept ? [j] : []));
        if (steps.length === 0) return 0;
        const part = ops.take(logits.getItem([i]), steps, { axis: 0 }).expandDims(0);
        return losses.ctc([y[i]], part).item();
      });
      assert.ok(Math.abs(value.item() - (alone[0] + alone[1]) / 2) < 1e-5, `${value} ${alone}`);
      const infinite = alone.some((each) => !Number.isFinite(each));
      if (!infinite) assert.ok(finite(gradients[0]));
      gradients[0].array().forEach((row, i) => {
        row.forEach((step, j) => {
          if (!mask[i][j])
            assert.ok(
              step.every((each) => each === 0),
              `${i} ${j} ${step}`,
            );
        });
      });
      const metric = new Metric('ctc');
      metric.updateState(y, p);
      assert.ok(infinite || Math.abs(metric.result() - value.item()) < 1e-5);
    });
  });
}

test('a zero sample weight multiplies, as in Keras', () => {
  const p = probabilities(1);
  const y = targets('mse');
  y[0][0] = [Number.NaN, 1, 1, 1];
  const sampleWeight = [
    [0, 1, 1],
    [1, 1, 1],
  ];
  assert.equal(losses.meanSquaredError(y, p, { sampleWeight }).item(), Number.NaN);
});

test('training with NaN in the padding of y is that with zeros there', async () => {
  const ids = [
    [1, 2, 3, 0],
    [2, 1, 0, 0],
  ];
  const run = async (number) => {
    await ready();
    const model = new Sequential([
      Input({ shape: [4], dtype: 'int32' }),
      layers.embedding({ inputDim: 4, outputDim: 3, maskZero: true }),
      layers.gru({ units: 3, returnSequences: true }),
      layers.dense({ units: 1 }),
    ]);
    model.setWeights(model.getWeights().map((w, i) => random.normal(w.shape, { seed: i })));
    model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['mae'], weightedMetrics: ['mse'] });
    const y = [
      [[1], [2], [3], [number]],
      [[4], [5], [number], [number]],
    ];
    const { history } = await model.fit(ids, y, { epochs: 3, shuffle: false, verbose: 0 });
    return [history, model.evaluate(ids, y), model.getWeights()];
  };
  const [clean, withNaN] = [await run(0), await run(Number.NaN)];
  assert.ok(withNaN[2].every(finite));
  assert.deepStrictEqual(withNaN, clean);
});

test('a masked model trains with CTC, and padding does not change its loss', async () => {
  const input = Input({ shape: [null, 2] });
  const features = layers.masking().apply(input);
  const x = layers.lstm({ units: 4, returnSequences: true }).apply(features);
  const model = new Model({ inputs: input, outputs: layers.dense({ units: 3 }).apply(x) });
  model.compile({ optimizer: 'adam', loss: 'ctc' });
  const rows = random.normal([2, 5, 2], { seed: 1 }).array();
  rows[1][3] = [0, 0];
  rows[1][4] = [0, 0];
  const y = [
    [1, 2],
    [2, 0],
  ];
  const alone = [rows[0], rows[1].slice(0, 3)].map((row, i) => model.evaluate([row], [y[i]]).loss);
  const { loss } = model.evaluate(rows, y);
  assert.ok(Math.abs(loss - (alone[0] + alone[1]) / 2) < 1e-5, `${loss} ${alone}`);
  const padded = rows.map((row) => [...row, [0, 0], [0, 0]]);
  assert.ok(Math.abs(model.evaluate(padded, y).loss - loss) < 1e-5);
  const { history } = await model.fit(padded, y, { epochs: 30, verbose: 0 });
  assert.ok(history.loss.at(-1) < history.loss[0], `${history.loss}`);
});

test('metrics named IoU with a float dtype count fractions of weights, as Keras', () => {
  const sampleWeight = [0.2, 0.3, 0.4, 0.1];
  const classes = [0, 1, 0, 1];
  const found = [0, 1, 1, 0];
  const oneHot = [
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
  ];
  const scores = [
    [0.9, 0.1],
    [0.2, 0.8],
    [0.3, 0.7],
    [0.6, 0.4],
  ];
  // Recorded with Keras 3.15.1.
  for (const [make, settings, y, p, expected] of [
    [
      metrics.binaryIoU,
      { targetClassIds: [0, 1], threshold: 0.3 },
      classes,
      [0.1, 0.2, 0.4, 0.7],
      0.17361,
    ],
    [metrics.meanIoU, { numClasses: 2 }, classes, found, 0.330357],
    [metrics.iou, { numClasses: 2, targetClassIds: [0] }, classes, found, 0.285714],
    [metrics.oneHotIoU, { numClasses: 2, targetClassIds: [1] }, oneHot, scores, 0.375],
    [metrics.oneHotMeanIoU, { numClasses: 2 }, oneHot, scores, 0.330357],
  ]) {
    const result = (dtype) => {
      const metric = make({ ...settings, ...(dtype && { dtype }) });
      metric.updateState(y, p, { sampleWeight });
      return metric.result();
    };
    for (const dtype of ['float32', 'float64']) {
      assert.ok(Math.abs(result(dtype) - expected) < 1e-5, `${result(dtype)}, not ${expected}`);
    }
    for (const dtype of [undefined, 'int', 'int32']) assert.equal(result(dtype), 0);
    const metric = make({ ...settings, dtype: 'float32' });
    assert.equal(metric.settings.dtype, 'float32');
  }
});
