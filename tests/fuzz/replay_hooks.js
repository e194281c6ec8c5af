// SPDX-License-Identifier: MIT
// Replays recordings of keras_hooks.py: makes the same calls of a model whose class overrides the
// same methods, and compares results, events of callbacks, and all weights after each call.
import * as mf from '../../dist/train.js';

const { layers, metrics, ops } = mf;
const isTensor = (value) => value instanceof mf.Tensor;

function first(outputs) {
  if (Array.isArray(outputs)) return outputs[0];
  if (outputs === null || outputs === undefined || isTensor(outputs)) return outputs;
  return outputs[Object.keys(outputs).sort()[0]];
}

class Adding extends mf.Layer {
  means = [metrics.mean({ name: 'inside' })];

  call(inputs) {
    this.addLoss(ops.multiply(0.1, ops.sum(ops.square(inputs))));
    if (!inputs.isSymbolic) this.means[0].updateState(ops.mean(inputs, { axis: -1 }));
    return inputs;
  }
}

const meanSquare = (x) => ops.mean(ops.square(x));

const losses = {
  own: (_model, _x, _y, p) => meanSquare(ops.subtract(first(p), 0.5)),
  weighted(_model, x, y, p, w) {
    const loss = ops.mean(ops.square(ops.subtract(first(p), first(y))), { axis: -1 });
    const weights = first(w) ?? null;
    const mean = ops.mean(weights === null ? loss : ops.multiply(loss, weights));
    return ops.add(mean, ops.multiply(ops.sum(x), 0.01));
  },
  losses: (model, _x, _y, p) =>
    model.losses.reduce((sum, loss) => ops.add(sum, ops.sum(loss)), meanSquare(first(p))),
};

/** Methods of the class, by the part that they replace. */
const parts = {
  loss: (how) => ({
    computeLoss(x, y, p, w, training) {
      if (how.loss !== 'scale') return losses[how.loss](this, x, y, p, w);
      const usual = mf.Model.prototype.computeLoss.call(this, x, y, p, w, training);
      return ops.add(ops.multiply(usual, 2), training ? 0.25 : 0.5);
    },
  }),
  metrics: (how) => ({
    computeMetrics(x, y, p, w) {
      if (how.seen) {
        this.seen.updateState(ops.mean(first(p), { axis: -1 }));
        this.others.a[0].updateState([1, 1]);
      }
      if (how.metrics === 'only') return { only: ops.max(first(p)) };
      const usual = mf.Model.prototype.computeMetrics.call(this, x, y, p, w);
      const more = how.metrics === 'extra' ? { extra: 3 } : { more: { q: 1, b: 2 } };
      return how.metrics === 'update' ? usual : { ...usual, ...more };
    },
  }),
  result: () => ({
    getMetricsResult() {
      return { ...mf.Model.prototype.getMetricsResult.call(this), final: 7 };
    },
  }),
  train: (how) => ({
    trainStep(data) {
      if (how.train === 'usual')
        return { ...mf.Model.prototype.trainStep.call(this, data), twice: 2 };
      const [x, y, w] = data;
      const { value, aux, gradients } = mf.valueAndGradients(
        () => {
          const p = this.apply(x, { training: true });
          return [this.computeLoss(x, y, p, w, true), p];
        },
        this.trainableVariables,
        { hasAux: true },
      );
      this.optimizer.apply(gradients, this.trainableVariables);
      this.metrics[0].updateState(value);
      return this.computeMetrics(x, y, aux, w);
    },
  }),
  test: (how) => ({
    testStep(data) {
      if (how.test === 'usual')
        return { ...mf.Model.prototype.testStep.call(this, data), tested: 1 };
      const [x, y, w] = data;
      const p = this.apply(x, { training: false });
      return { loss: this.computeLoss(x, y, p, w, false), top: ops.max(first(p)) };
    },
  }),
  predict: (how) => ({
    predictStep(data) {
      const outputs = mf.Model.prototype.predictStep.call(this, data);
      if (how.predict === 'usual') return outputs;
      return { p: ops.multiply(first(outputs), 10), m: ops.add(first(outputs), 1) };
    },
  }),
};

function classOf(Base, how) {
  class Net extends Base {
    constructor(...args) {
      super(...args);
      if (!how.seen) return;
      this.seen = metrics.mean({ name: 'seen' });
      this.others = { a: [metrics.sum({ name: 'total' })] };
    }
  }
  for (const [part, methods] of Object.entries(parts)) {
    if (how[part]) Object.assign(Net.prototype, methods(how));
  }
  return Net;
}

function build({ base, form, units, adds, how, weights, regularizers }) {
  const dense = units.map((count, i) =>
    layers.dense({ units: count, name: `out${i}`, kernelRegularizer: regularizers[i] }),
  );
  const input = mf.Input({ shape: [3] });
  const adding = adds ? [new Adding()] : [];
  let model;
  if (base === 'sequential') {
    model = new (classOf(mf.Sequential, how))([input, ...adding, ...dense]);
  } else {
    const inner = adding.reduce((x, layer) => layer.apply(x), input);
    const ends = dense.map((layer) => layer.apply(inner));
    const named = Object.fromEntries(ends.map((end, i) => ['zyx'[i], end]));
    const outputs = { one: ends[0], list: ends, dict: named }[form];
    model = new (classOf(mf.Model, how))({ inputs: input, outputs });
  }
  dense.forEach((layer, i) => {
    layer.setWeights(weights[i]);
  });
  return model;
}

const names = [
  ...['train_begin', 'train_end', 'epoch_begin', 'epoch_end', 'train_batch_begin'],
  ...['train_batch_end', 'test_begin', 'test_end', 'test_batch_begin', 'test_batch_end'],
  ...['predict_begin', 'predict_end', 'predict_batch_begin', 'predict_batch_end'],
];

function noting(adds) {
  const notes = [];
  const callback = {};
  for (const name of names) {
    const camel = `on_${name}`.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
    const hasIndex = /batch|epoch/.test(name);
    callback[camel] = (...args) => {
      const [index, logs] = hasIndex ? args : [null, args[0]];
      // Keras merges a dictionary of outputs into the logs.
      const { outputs = null } = logs ?? {};
      const isNamed = outputs && !Array.isArray(outputs) && !isTensor(outputs);
      notes.push([name, index, plain(isNamed ? outputs : (logs ?? {}))]);
      if (adds && logs && /_end$/.test(name) && name !== 'predict_batch_end') logs.added = 1;
    };
  }
  return { callback, notes };
}

/** Numbers in lists and dictionaries. */
function plain(value) {
  if (isTensor(value)) return value.array();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** Converts targets or weights to tensors, in the structure of the outputs. */
function tensorsLike(outputs, value) {
  if (value === null) return null;
  if (isTensor(outputs)) return mf.tensor(value);
  const entries = Object.entries(value).map(([key, item]) => [key, item && mf.tensor(item)]);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

const calls = {
  compile(model, { optimizer, loss, loss_weights, metrics: list, weighted_metrics }) {
    model.compile({
      optimizer: mf.optimizers.sgd({
        learningRate: optimizer.learning_rate,
        momentum: optimizer.momentum ?? 0,
      }),
      ...(loss && { loss }),
      ...(loss_weights && { lossWeights: loss_weights }),
      ...(list && { metrics: list }),
      ...(weighted_metrics && { weightedMetrics: weighted_metrics }),
    });
    model.resetMetrics();
    return null;
  },
  async fit(model, { x, y, w, batch_size, epochs, validation }, callbacks) {
    const { history } = await model.fit(x, y, {
      batchSize: batch_size,
      epochs,
      shuffle: false,
      callbacks,
      ...(w && { sampleWeight: w }),
      ...(validation && {
        validationData: [validation.x, validation.y, ...(validation.w ? [validation.w] : [])],
      }),
    });
    return history;
  },
  evaluate: (model, { x, y, w, batch_size }, callbacks) =>
    model.evaluate(x, y, { batchSize: batch_size, callbacks, ...(w && { sampleWeight: w }) }),
  train_on_batch: (model, { x, y, w }) => model.trainOnBatch(x, y, w ? { sampleWeight: w } : {}),
  test_on_batch: (model, { x, y, w }) => model.testOnBatch(x, y, w ? { sampleWeight: w } : {}),
  predict: (model, { x, batch_size }, callbacks) =>
    model.predict(x, { batchSize: batch_size, callbacks }),
  predict_on_batch: (model, { x }) => model.predictOnBatch(x),
  result: (model) => model.getMetricsResult(),
  reset: (model) => model.resetMetrics() ?? null,
  losses: (model) => model.losses.map((loss) => loss.item()).sort((a, b) => a - b),
  direct(model, { x, ...data }) {
    const p = model.apply(x, { training: false });
    const inputs = mf.tensor(x);
    const y = tensorsLike(p, data.y);
    const isOne = !isTensor(p) && Array.isArray(data.w) && typeof data.w[0] === 'number';
    const w = tensorsLike(isOne ? inputs : p, data.w ?? null);
    const loss = model.computeLoss(inputs, y, p, w, false);
    const { more, ...logs } = model.computeMetrics(inputs, y, p, w);
    return { loss, ...logs, ...more };
  },
};

/** Returns the first difference of two values; null if they are equal. */
function difference(got, wanted, path) {
  if (typeof wanted === 'number' && typeof got === 'number') {
    const isClose = Math.abs(got - wanted) <= 2e-5 + 2e-4 * Math.abs(wanted);
    return isClose || Object.is(got, wanted) ? null : `${path} is ${got}, not ${wanted}`;
  }
  // Keras writes a log of one number as that number, whatever its shape.
  if (typeof wanted === 'number' && Array.isArray(got) && got.flat(3).length === 1) {
    return difference(got.flat(3)[0], wanted, path);
  }
  if (typeof wanted !== 'object' || wanted === null) {
    return got === wanted ? null : `${path} is ${JSON.stringify(got)}, not ${wanted}`;
  }
  const keys = Object.keys(wanted).sort();
  const own = Object.keys(got ?? {}).sort();
  if (String(own) !== String(keys)) return `${path} has ${own}, not ${keys}`;
  for (const key of keys) {
    const found = difference(got[key], wanted[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

async function checkCall(model, call) {
  const { callback, notes } = noting(call.adds);
  let result;
  try {
    result = plain(await calls[call.do](model, call, call.notes ? [callback] : []));
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) throw error;
    return call.refused ? null : `${error.constructor.name}: ${error.message}`;
  }
  if (call.refused) return `not refused; Keras: ${call.refused}`;
  const weights = model.getWeights().map((weight) => weight.array());
  return (
    difference(result, call.result, 'result') ??
    (call.notes ? difference(notes, call.events, 'events') : null) ??
    difference(weights, call.weights, 'weights')
  );
}

/** Returns the first difference of a program; null if there is none. */
export async function checkHooks({ spec, calls: program }) {
  const model = build(spec);
  try {
    for (const [i, call] of program.entries()) {
      const found = await checkCall(model, call);
      if (found) return `call ${i}, ${call.do}: ${found}`;
    }
    return null;
  } finally {
    model.dispose();
  }
}
