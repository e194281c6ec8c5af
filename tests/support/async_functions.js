// SPDX-License-Identifier: MIT
// Async functions in every place that calls user-defined code. As a program it prints the error of
// each case. An unhandled rejection ends it.
import { pathToFileURL } from 'node:url';
import * as text from '../../dist/text.js';
import * as mf from '../../dist/train.js';
import * as workers from '../../dist/worker.js';

const { Input, Layer, layers, Metric, Model, ops, registerLayer, Sequential, tensor } = mf;

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const x = () =>
  tensor([
    [1, 2],
    [3, 4],
  ]);
const y = () => tensor([[1], [0]]);
const dense = (settings) =>
  new Sequential([Input({ shape: [2] }), layers.dense({ units: 1, ...settings })]);

function compiledModel(options = {}, settings = {}) {
  const model = dense(settings);
  model.compile({ optimizer: 'sgd', loss: 'mse', ...options });
  return model;
}

/** A custom layer with `method` in place of one of its methods. */
function layerWith(name, method) {
  class Custom extends Layer {
    call(inputs) {
      return ops.add(inputs, 1);
    }
  }
  Custom.prototype[name] = method;
  return new Custom();
}

class MetricOf extends Metric {
  constructor(name, method) {
    super('mse', { name: 'mine' });
    this[name] = method;
  }
}

class AsyncCell extends Layer {
  stateSize = 2;
  constructor(step) {
    super();
    this.call = step;
  }
}

/**
 * Calls by name. Each passes an async function that fails later to a place that does not await it.
 */
export const cases = {
  'setModel of a callback': (f) => compiledModel().fit(x(), y(), { callbacks: [{ setModel: f }] }),
  'setParams of a callback': (f) =>
    compiledModel().fit(x(), y(), { callbacks: [{ setParams: f }] }),
  'setModel of a class of callbacks': (f) =>
    compiledModel().fit(x(), y(), {
      callbacks: [Object.assign(new mf.Callback(), { setModel: f })],
    }),
  'a learning rate scheduler': (f) =>
    compiledModel().fit(x(), y(), { callbacks: [mf.callbacks.learningRateScheduler(f)] }),
  'the learning rate of an optimizer': (f) =>
    compiledModel({ optimizer: mf.optimizers.sgd({ learningRate: f }) }).fit(x(), y()),
  'a learning rate that is set': (f) => {
    compiledModel().optimizer.learningRate = f;
  },
  'a loss of compile': (f) => compiledModel({ loss: f }).fit(x(), y()),
  'a loss of evaluate': (f) => dense().evaluate(x(), y(), { loss: f }),
  'a metric of compile': (f) => compiledModel({ metrics: [f] }).fit(x(), y()),
  'a metric of evaluate': (f) => dense().evaluate(x(), y(), { metrics: [f] }),
  'updateState of a metric': (f) =>
    dense().evaluate(x(), y(), { metrics: [new MetricOf('updateState', f)] }),
  'result of a metric': (f) => dense().evaluate(x(), y(), { metrics: [new MetricOf('result', f)] }),
  'call of a layer': (f) => layerWith('call', f).apply(x()),
  'call of a layer that returns a list': (f) => layerWith('call', () => [f(), f()]).apply(x()),
  'call of a layer that returns a dictionary': (f) =>
    layerWith('call', () => ({ a: f(), b: f() })).apply(x()),
  'call of a layer in a graph': (f) => layerWith('call', f).apply(Input({ shape: [2] })),
  'call of a layer in predict': (f) => new Sequential([layerWith('call', f)]).predict(x()),
  'call of a model': (f) => {
    class Own extends Model {}
    Own.prototype.call = f;
    return new Own().predict(x());
  },
  'build of a layer': (f) => layerWith('build', f).apply(x()),
  'build of a layer, called': (f) => layerWith('build', f).build([null, 2]),
  'computeMask of a layer': (f) =>
    layerWith('computeMask', f).apply(x().withMask(tensor([true, false], { dtype: 'bool' }))),
  'computeOutputShape of a layer': (f) =>
    layerWith('computeOutputShape', f).apply(Input({ shape: [2] })),
  'getConfig of a layer': (f) => mf.serializeLayer(layerWith('getConfig', f)),
  'fromConfig of a class': (f) => {
    class Made extends Layer {
      call(inputs) {
        return inputs;
      }
    }
    registerLayer(Made);
    const config = mf.serializeLayer(new Made());
    Made.fromConfig = f;
    mf.deserializeLayer(config);
  },
  'a custom object': async (f) => {
    class Unknown extends Layer {
      call(inputs) {
        return ops.add(inputs, 1);
      }
    }
    registerLayer(Unknown, { package: 'elsewhere' });
    const file = await new Sequential([Input({ shape: [2] }), new Unknown()]).save();
    return mf.loadModel(file, { customObjects: { 'elsewhere>Unknown': f } });
  },
  'a step of a cell': (f) =>
    layers.rnn({ cell: new AsyncCell(f) }).apply(tensor([[[1, 2]], [[3, 4]]])),
  'a state of a cell': (f) =>
    layers
      .rnn({ cell: new AsyncCell((inputs) => [inputs, [f()]]) })
      .apply(tensor([[[1, 2]], [[3, 4]]])),
  'the function of a Lambda': (f) => layers.lambda({ function: f }).apply(x()),
  'the mask of a Lambda': (f) =>
    layers.lambda({ function: (inputs) => ops.add(inputs, 1), mask: f }).apply(x()),
  'the output shape of a Lambda': (f) =>
    layers
      .lambda({ function: (inputs) => ops.add(inputs, 1), outputShape: f })
      .apply(Input({ shape: [2] })),
  'what is differentiated': (f) => mf.valueAndGradients(f, [x()]),
  'what prints a summary': (f) => dense().summary({ print: f }),
  'an activation of a layer': (f) => dense({ activation: f }).predict(x()),
  'an initializer of a layer': (f) => dense({ kernelInitializer: f }).predict(x()),
  'an initializer of a weight': (f) => {
    const layer = layerWith('build', function build() {
      this.addWeight({ shape: [2], initializer: f });
    });
    layer.apply(x());
    return layer.getWeights();
  },
  'a regularizer of a layer': (f) => compiledModel({}, { kernelRegularizer: f }).fit(x(), y()),
  'a constraint of a layer': (f) => compiledModel({}, { kernelConstraint: f }).fit(x(), y()),
  'the function for batches': (f) => compiledModel().fit(f),
  'a batch of promises': (f) =>
    compiledModel().fit(function* batches() {
      yield [f(), f()];
    }),
  'a promise as a batch': (f) =>
    compiledModel().fit(function* batches() {
      yield f();
    }),
  'return of the batches': (f) =>
    compiledModel().fit(
      {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ value: [x(), tensor([[1, 2, 3]])], done: false }),
          return: f,
        }),
      },
      { stepsPerEpoch: 2 },
    ),
  'batches of validation': (f) =>
    compiledModel().fit(x(), y(), {
      validationData: function* batches() {
        yield [f(), f()];
      },
    }),
  'batches of fit in a worker': async (f) => {
    const worker = await workers.openWorker({ train: true });
    const model = await worker.loadModel(await compiledModel().save());
    const batches = function* () {
      yield f();
    };
    return model.fit(batches, {}).finally(() => worker.close());
  },
  'x and y of fit': (f) => compiledModel().fit(f(), f()),
  'standardize of a text layer': (f) =>
    new text.TextVectorization({ standardize: f, vocabulary: ['a'] }).apply(['a b']),
  'split of a text layer': (f) =>
    new text.TextVectorization({ split: f, vocabulary: ['a'] }).apply(['a b']),
};

const events = Object.getOwnPropertyNames(mf.Callback.prototype).filter((name) => /^on/.test(name));

/** Calls that await the promise of an async function: its rejection is the error of the call. */
export const awaited = {
  ...Object.fromEntries(
    events.map((event) => [
      `${event} of a callback`,
      (f) => {
        const callbacks = [{ [event]: f }];
        return /^onPredict/.test(event)
          ? compiledModel().predict(() => [x()], { callbacks })
          : compiledModel().fit(x(), y(), { callbacks, validationData: [x(), y()] });
      },
    ]),
  ),
  'next of the batches': (f) =>
    compiledModel().fit({ [Symbol.asyncIterator]: () => ({ next: f }) }),
  'a generator of batches': (f) =>
    compiledModel().fit(async function* batches() {
      yield [x(), y()];
      await f();
    }),
  'a function for lines of CSV': (f) =>
    compiledModel().fit(x(), y(), { callbacks: [mf.callbacks.csvLogger(f)] }),
  'a function for checkpoints': (f) =>
    compiledModel().fit(x(), y(), { callbacks: [mf.callbacks.modelCheckpoint(f)] }),
  'a function for progress': (f) =>
    compiledModel().fit(x(), y(), { callbacks: [mf.callbacks.progressBar(f)] }),
  'progress of a file': async (f) =>
    mf.loadModel([{ name: 'm.keras', data: await dense().save() }], { onProgress: f }),
  'progress of a file in a worker': async (f) => {
    const data = await dense().save();
    const worker = await workers.openWorker({ train: true });
    const loading = worker.loadModel([{ name: 'm.keras', data }], { onProgress: f });
    // The file may be loaded before the function has failed.
    return loading
      .then(() => wait(20))
      .then(() => f.fail())
      .finally(() => worker.close());
  },
  'what prints the summary of a worker': async (f) => {
    const worker = await workers.openWorker({ train: true });
    const model = await worker.loadModel(await dense().save());
    return model.summary({ print: f }).finally(() => worker.close());
  },
  'a hook of fit in a worker': async (f) => {
    const worker = await workers.openWorker({ train: true });
    const model = await worker.loadModel(await compiledModel().save());
    const [rows, targets] = [x().array(), y().array()];
    return model
      .fit(rows, targets, { onEpochEnd: f, epochs: 200, batchSize: 1 })
      .finally(() => worker.close());
  },
};

class Late extends Error {}

function lateFunction(name) {
  const fail = () => {
    throw new Late(`the late rejection of ${name}`);
  };
  return Object.assign(() => wait(3).then(fail), { fail });
}

async function main() {
  await mf.ready({ seed: 1, onMaskDropped: 'silent' });
  console.warn = () => {};
  for (const [kind, group] of Object.entries({ cases, awaited })) {
    for (const [name, run] of Object.entries(group)) {
      const result = { kind, name, error: null };
      try {
        await run(lateFunction(name));
      } catch (error) {
        result.error = error.name;
        result.message = error.message;
        result.typed = error instanceof mf.MaskflowError;
        result.late = error instanceof Late;
      }
      await wait(10);
      console.log(JSON.stringify(result));
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
