// SPDX-License-Identifier: MIT
// Layers that users write in JavaScript, inside models and wrappers and through serialization.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { MyActivation, Plain, Scale, TemporalSplit } from '../support/custom_layers.js';
import { fresh } from '../support/fresh.js';
import { close, letters, rows, collectWarnings } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'warn', maskPropagation: 'keras-3.15' }));

const { Input, Layer, layers, Model, ops, registerLayer, Sequential, tensor } = mf;
const mask = rows('TTF TFF');
const ids = () =>
  tensor(
    [
      [1, 2, 0],
      [3, 0, 0],
    ],
    { dtype: 'int32' },
  );
const x = () => ops.reshape(ops.arange(12, { dtype: 'float32' }), [2, 3, 2]);
const embedding = () => layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true });

const places = {
  Sequential: (layer) => new Sequential([embedding(), layer, layers.lstm({ units: 3 })]),
  Functional: (layer) => {
    const input = Input({ shape: [null], dtype: 'int32' });
    const outputs = layers.lstm({ units: 3 }).apply(layer.apply(embedding().apply(input)));
    return new Model({ inputs: input, outputs });
  },
  'a subclassed model': (layer) =>
    new (class Mine extends Model {
      constructor() {
        super();
        this.embedding = embedding();
        this.middle = layer;
        this.lstm = layers.lstm({ units: 3 });
      }
      call(inputs) {
        return this.lstm.apply(this.middle.apply(this.embedding.apply(inputs)));
      }
    })(),
  'a nested Sequential': (layer) =>
    new Sequential([new Sequential([embedding(), layer]), layers.lstm({ units: 3 })]),
};

for (const [title, place] of Object.entries(places)) {
  test(`in ${title}: MyActivation passes the mask on, padding does not count, Plain drops the mask`, () => {
    const longer = tensor(
      [
        [1, 2, 0, 0, 0],
        [3, 0, 0, 0, 0],
      ],
      { dtype: 'int32' },
    );
    const keeps = place(new MyActivation());
    assert.deepEqual(keeps.predict(longer).array(), keeps.predict(ids()).array());
    const { warnings } = collectWarnings(() => {
      const drops = place(new Plain());
      assert.notDeepEqual(drops.predict(longer).array(), drops.predict(ids()).array());
    });
    assert.ok(warnings.length > 0);
  });
}

/** Cannot compute without a mask, like the TemporalSoftmax of Keras's guide. */
class KeptSum extends Layer {
  call(inputs, { mask }) {
    const kept = ops.expandDims(ops.cast(mask, 'float32'), -1);
    return ops.sum(ops.multiply(inputs, kept), { axis: 1 });
  }
}

const consumers = {
  'a Functional': () => {
    const input = Input({ shape: [null], dtype: 'int32' });
    return new Model({ inputs: input, outputs: new KeptSum().apply(embedding().apply(input)) });
  },
  'a Sequential behind an Input': () =>
    new Sequential([Input({ shape: [null], dtype: 'int32' }), embedding(), new KeptSum()]),
  'a Sequential': () => new Sequential([embedding(), new KeptSum()]),
  'a nested Sequential': () =>
    new Sequential([new Sequential([embedding(), new KeptSum()]), layers.dense({ units: 1 })]),
};

for (const [title, make] of Object.entries(consumers)) {
  test(`in ${title}: a layer that needs the mask receives it in every call`, () => {
    const { result } = collectWarnings(() => make().predict(ids()));
    assert.equal(result.shape[0], 2);
  });
}

test('the symbolic output of a masking layer has a symbolic mask', () => {
  const masked = embedding().apply(Input({ shape: [null], dtype: 'int32' }));
  assert.equal(new MyActivation().apply(masked).mask.isSymbolic, true);
  assert.equal(collectWarnings(() => new Plain().apply(masked)).result.mask, null);
  const [first, second] = new TemporalSplit().apply(
    embedding().apply(Input({ shape: [6], dtype: 'int32' })),
  );
  assert.deepEqual(
    [first.mask.shape, second.mask.shape],
    [
      [null, 2],
      [null, 4],
    ],
  );
});

test('works in TimeDistributed, eagerly and in a model, with its weights', () => {
  const scale = new Scale({ factor: 3 });
  const wrapper = layers.timeDistributed({ layer: scale });
  close(wrapper.apply(x()).array(), ops.multiply(x(), 3).array());
  assert.deepEqual(
    wrapper.weights.map((w) => w.path),
    [`${wrapper.name}/${scale.name}/gain`],
  );
  const input = Input({ shape: [3, 2] });
  const model = new Model({
    inputs: input,
    outputs: layers.timeDistributed({ layer: new Scale() }).apply(input),
  });
  close(model.predict(x()).array(), ops.multiply(x(), 2).array());
});

test('each step in TimeDistributed receives its slice of the mask', () => {
  const masks = [];
  class Steps extends Layer {
    call(inputs, { mask }) {
      masks.push(mask?.array() ?? null);
      return ops.add(inputs, 1);
    }
  }
  const y = layers.timeDistributed({ layer: new Steps() }).apply(x().withMask(mask));
  assert.deepEqual(masks, [
    [true, true],
    [true, false],
    [false, false],
  ]);
  assert.deepEqual(letters(y.mask), ['TTF', 'TFF']);
});

test('Bidirectional and RNN refuse a custom layer by name', () => {
  for (const make of [
    () => layers.bidirectional({ layer: new Plain() }),
    () => layers.rnn({ cell: new Plain() }),
  ]) {
    assert.throws(make, (error) => error instanceof mf.ConfigError && /Plain/.test(error.message));
  }
});

test('a registered class in models and wrappers is not garbage-collected', () => {
  const body = `await mf.ready();
    class Twice extends mf.Layer { call(x) { return mf.ops.multiply(x, 2); } }
    mf.registerLayer(Twice);
    const input = mf.Input({ shape: [2, 1] });
    const made = [
      new mf.Sequential([new Twice()]),
      new mf.Sequential([new mf.Sequential([mf.layers.timeDistributed({ layer: new Twice() })])]),
      new mf.Model({ inputs: input, outputs: new Twice().apply(input) }),
      mf.Model.fromConfig(JSON.stringify(new mf.Sequential([new mf.Sequential([new Twice()])]))),
    ];
    for (let i = 0; i < 20; i++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    say(made.map((model) => model.predict(mf.ops.ones([1, 2, 1])).array()));`;
  assert.deepEqual(fresh(body, { flags: ['--expose-gc'] })[0], Array(4).fill([[[2], [2]]]));
});

registerLayer(Scale, { package: 'Tests' });
registerLayer(MyActivation);

test('a registered layer survives serialization, with settings and name', () => {
  const scale = new Scale({ factor: 5, name: 'five' });
  const serialized = JSON.parse(JSON.stringify(mf.serializeLayer(scale)));
  assert.deepEqual([serialized.class_name, serialized.registered_name], ['Scale', 'Tests>Scale']);
  for (const config of [serialized, { class_name: 'Scale', config: serialized.config }]) {
    const copy = mf.deserializeLayer(config);
    assert.ok(copy instanceof Scale);
    assert.deepEqual([copy.factor, copy.name], [5, 'five']);
  }
  assert.equal(Scale.fromConfig(scale.getConfig()).factor, 5);
});

test('a model with registered layers survives serialization, in wrappers too', () => {
  const input = Input({ shape: [3, 2] });
  const y = new MyActivation().apply(
    layers.timeDistributed({ layer: new Scale({ factor: 3 }) }).apply(input),
  );
  const model = new Model({ inputs: input, outputs: new Scale({ factor: 7 }).apply(y) });
  const copy = Model.fromConfig(JSON.stringify(model));
  assert.deepEqual(
    copy.layers.map((layer) => layer.constructor),
    model.layers.map((layer) => layer.constructor),
  );
  copy.setWeights(model.getWeights());
  close(copy.predict(x()).array(), ops.multiply(x(), 21).array());
});

test('registerLayer accepts a package and a name; a later class replaces an earlier one', () => {
  class One extends Plain {}
  class Two extends Plain {}
  registerLayer(One, { package: 'P', name: 'Named' });
  assert.ok(
    mf.deserializeLayer({ class_name: 'Named', config: {}, registered_name: 'P>Named' }) instanceof
      One,
  );
  registerLayer(Two, { package: 'P', name: 'Named' });
  assert.ok(
    mf.deserializeLayer({ class_name: 'Named', config: {}, registered_name: 'P>Named' }) instanceof
      Two,
  );
  assert.throws(() => registerLayer(class extends Layer {}), mf.ConfigError);
});

test('a custom class may be called InputLayer', () => {
  class InputLayer extends Layer {
    call(inputs) {
      return ops.multiply(inputs, 2);
    }
  }
  const dense = layers.dense({ units: 1, useBias: false, kernelInitializer: 'ones' });
  const input = Input({ shape: [2] });
  const outputs = dense.apply(new InputLayer().apply(input));
  for (const model of [
    new Sequential([new InputLayer(), dense]),
    new Model({ inputs: input, outputs }),
  ]) {
    assert.equal(model.predict(tensor([[1, 2]])).item(), 6);
  }
});

test('a custom class may be called Embedding', () => {
  class Embedding extends Layer {
    call(inputs) {
      return ops.multiply(inputs, 2);
    }
  }
  const model = new Sequential([new Embedding({ inputShape: [2] })]);
  assert.equal(model.inputs[0].dtype, 'float32');
});

test('a class that is not registered cannot be loaded, and the error names the remedy', () => {
  class Unknown extends Plain {}
  const serialized = mf.serializeLayer(new Unknown());
  assert.throws(() => mf.deserializeLayer(serialized), /Unknown.*registerLayer/);
});
