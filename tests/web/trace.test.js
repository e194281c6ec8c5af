// SPDX-License-Identifier: MIT
// traceMasks: for each layer and op the mask that came and the one that left, its role, and where it broke.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { leavesNothing, letters, rows, warned } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'silent', maskPropagation: 'keras-3.15' }));

const { Input, Layer, layers, Model, ops, padSequences, Sequential, tensor } = mf;
const guide = [
  [711, 632, 71],
  [73, 8, 3215, 55, 927],
  [83, 91, 1, 645, 1253, 927],
];
const ids = () => padSequences(guide, { padding: 'post' });
const guideMask = ['TTTFFF', 'TTTTTF', 'TTTTTT'];
const embedding = () => layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true });
const story = (trace) => trace.map(({ className, role }) => `${className} ${role}`);
const functional = (build) => {
  const input = Input({ shape: [null], dtype: 'int32' });
  return new Model({ inputs: input, outputs: build(embedding().apply(input), input) });
};
const sequences = (units = 4) => layers.lstm({ units, returnSequences: true });

test("the guide's Sequential and functional models: made by Embedding, used by LSTM", () => {
  const both = [
    new Sequential([embedding(), layers.lstm({ units: 32 })]),
    functional((x) => layers.lstm({ units: 32 }).apply(x)),
  ];
  for (const model of both) {
    const trace = model.traceMasks(ids()).filter(({ className }) => className !== 'InputLayer');
    assert.deepEqual(story(trace), ['Embedding makes', 'LSTM uses']);
    const [made, used] = trace;
    assert.equal(made.maskIn, null);
    assert.deepEqual(letters(made.maskOut), guideMask);
    assert.deepEqual(letters(used.maskIn), guideMask);
    assert.equal(used.maskOut, null);
    assert.match(used.reason, /LSTM '.*' leaves the masked steps out.*no time axis/);
    assert.deepEqual([made.remedy, used.remedy], ['', '']);
  }
});

test('an entry has names, path, depth and shapes', () => {
  const model = new Sequential([embedding(), layers.lstm({ units: 32 })], { name: 'reader' });
  const [entry] = model.traceMasks(ids());
  const { reason, maskOut, ...rest } = entry;
  const { name } = model.layers[0];
  assert.deepEqual(rest, {
    layer: name,
    className: 'Embedding',
    path: `reader/${name}`,
    depth: 0,
    isLayer: true,
    role: 'makes',
    maskIn: null,
    shapeIn: [3, 6],
    shapeOut: [3, 6, 16],
    remedy: '',
  });
  assert.match(reason, /makes the mask/);
  assert.equal(maskOut[0][3], false);
});

test('Masking makes a mask from the values', () => {
  const model = new Sequential([layers.masking({ maskValue: 5 }), sequences()]);
  const trace = model.traceMasks(
    tensor([
      [
        [5, 5],
        [1, 5],
        [2, 2],
      ],
    ]),
  );
  assert.deepEqual(story(trace), ['Masking makes', 'LSTM uses and passes']);
  assert.deepEqual(letters(trace[0].maskOut), ['FTT']);
});

test('layers that work on every step alike pass it', () => {
  const model = new Sequential([
    embedding(),
    layers.dense({ units: 4 }),
    layers.layerNormalization(),
    layers.dropout({ rate: 0.1 }),
    layers.activation({ activation: 'relu' }),
  ]);
  const trace = model.traceMasks(ids());
  assert.deepEqual(story(trace).slice(1), [
    'Dense passes',
    'LayerNormalization passes',
    'Dropout passes',
    'Activation passes',
  ]);
  for (const { maskIn, maskOut } of trace.slice(1)) {
    assert.deepEqual([letters(maskIn), letters(maskOut)], [guideMask, guideMask]);
  }
});

test('an operation drops it: the reason says why, the remedy what to do, and the remedy helps', () => {
  const broken = functional((x) => sequences().apply(ops.add(x, 1)));
  const trace = broken.traceMasks(ids());
  assert.deepEqual(story(trace), ['Embedding makes', 'Add drops', 'LSTM none']);
  const drop = trace.find(({ role }) => role === 'drops');
  assert.deepEqual([drop.isLayer, drop.maskOut, letters(drop.maskIn[0])], [false, null, guideMask]);
  assert.match(drop.reason, /plain operation never carries a mask over/);
  assert.match(drop.remedy, /y\.withMask\(x\.mask\).*use a layer/);
  const mended = functional((x) => sequences().apply(ops.add(x, 1).withMask(x.mask)));
  assert.ok(!story(mended.traceMasks(ids())).includes('LSTM none'));
  assert.equal(mended.apply(ids()).mask.shape.length, 2);
});

test('a layer without support drops it, and the remedy is spelt as it is typed', () => {
  const model = new Sequential([embedding(), layers.flatten()]);
  const [, drop] = model.traceMasks(ids());
  assert.deepEqual([drop.className, drop.role, drop.maskOut], ['Flatten', 'drops', null]);
  assert.match(drop.reason, /Flatten 'flatten.*' does not support masking/);
  assert.match(drop.remedy, /supportsMasking = true.*computeMask.*y\.withMask\(x\.mask\)/);
});

class MyActivation extends Layer {
  call(inputs) {
    return ops.relu(ops.add(inputs, 0.5));
  }
}

test('a custom layer: dropped without supportsMasking, passed with it; its operations are a level deeper', () => {
  const traced = (supports) => {
    const layer = new MyActivation();
    layer.supportsMasking = supports;
    const model = new Sequential([embedding(), layer, layers.lstm({ units: 2 })]);
    return model.traceMasks(ids());
  };
  const top = (trace) => story(trace.filter(({ depth }) => depth === 0));
  assert.deepEqual(top(traced(true)), ['Embedding makes', 'MyActivation passes', 'LSTM uses']);
  assert.deepEqual(top(traced(false)), ['Embedding makes', 'MyActivation drops', 'LSTM none']);
  const inside = traced(true).filter(({ depth }) => depth > 0);
  assert.deepEqual(story(inside), ['Add drops']);
  assert.match(inside[0].path, /\/my_activation\S*\/Add$/);
});

test('TemporalSplit changes it, and every output has its own', () => {
  class TemporalSplit extends Layer {
    call(inputs) {
      return ops.split(inputs, 2, { axis: 1 });
    }
    computeMask(_inputs, mask) {
      return mask === null ? null : ops.split(mask, 2, { axis: 1 });
    }
  }
  const input = Input({ shape: [6], dtype: 'int32' });
  const [first, second] = new TemporalSplit().apply(embedding().apply(input));
  const model = new Model({
    inputs: input,
    outputs: [layers.gru({ units: 2 }).apply(first), layers.gru({ units: 2 }).apply(second)],
  });
  const entry = model.traceMasks(ids()).find(({ className }) => className === 'TemporalSplit');
  assert.equal(entry.role, 'changes');
  assert.deepEqual(entry.maskOut.map(letters), [
    ['TTT', 'TTT', 'TTT'],
    ['FFF', 'TTF', 'TTT'],
  ]);
});

test('a consumer that supports no masks uses and drops it (TemporalSoftmax)', () => {
  class TemporalSoftmax extends Layer {
    call(inputs, { mask }) {
      const scores = ops.multiply(ops.exp(inputs), ops.expandDims(ops.cast(mask, 'float32'), -1));
      return ops.divide(scores, ops.sum(scores, { axis: 1, keepdims: true }));
    }
  }
  const model = functional((x) => new TemporalSoftmax().apply(layers.dense({ units: 1 }).apply(x)));
  const entry = model
    .traceMasks(ids())
    .findLast(({ className }) => className === 'TemporalSoftmax');
  assert.deepEqual([entry.role, entry.maskOut], ['drops', null]);
  assert.match(entry.reason, /uses the mask but does not pass it on/);
});

test('an initial state makes an LSTM ignore the attached mask; passing it by hand is the remedy', () => {
  const decoder = (explicit) =>
    functional((x) => {
      const [, h, c] = layers.lstm({ units: 4, returnState: true }).apply(x);
      const options = { initialState: [h, c], ...(explicit && { mask: x.mask }) };
      return layers.lstm({ units: 4, name: explicit ? 'reads' : 'overlooks' }).apply(x, options);
    });
  const entry = decoder(false)
    .traceMasks(ids())
    .find(({ layer }) => layer === 'overlooks');
  assert.equal(entry.role, 'ignores');
  assert.match(entry.reason, /initial state.*computed as data/);
  assert.match(entry.remedy, /layer\.apply\(x, \{ initialState, mask: x\.mask \}\)/);
  const mended = decoder(true)
    .traceMasks(ids())
    .find(({ layer }) => layer === 'reads');
  assert.equal(mended.role, 'uses');
});

test("under Keras 3.16's rule recurrent layers drop the mask behind them", async () => {
  const model = new Sequential([embedding(), sequences(), sequences()]);
  assert.deepEqual(story(model.traceMasks(ids())), [
    'Embedding makes',
    'LSTM uses and passes',
    'LSTM uses and passes',
  ]);
  await mf.ready({ maskPropagation: 'keras-3.16' });
  const trace = new Sequential([embedding(), sequences(), sequences()]).traceMasks(ids());
  await mf.ready({ maskPropagation: 'keras-3.15' });
  assert.deepEqual(story(trace), ['Embedding makes', 'LSTM drops', 'LSTM none']);
  assert.match(trace[1].reason, /uses the mask but does not pass it on/);
  assert.match(trace[1].remedy, /y\.withMask\(x\.mask\)/);
});

test('layers inside nested and subclassed models have a depth and a path', () => {
  class MyLayer extends Model {
    constructor(config) {
      super(config);
      this.embedding = embedding();
      this.lstm = layers.lstm({ units: 4 });
    }
    call(inputs) {
      const x = this.embedding.apply(inputs);
      return this.lstm.apply(x, { mask: this.embedding.computeMask(inputs) });
    }
  }
  const nested = new Sequential([new MyLayer({ name: 'mine' })], { name: 'outer' });
  const lines = nested.traceMasks(ids()).map(({ depth, path, role }) => `${depth} ${path} ${role}`);
  assert.match(lines[0], /^0 outer\/mine /);
  assert.match(lines[1], /^1 outer\/mine\/embedding\S* makes$/);
  assert.match(lines[2], /^1 outer\/mine\/lstm\S* uses$/);
});

test('several inputs: a list of masks and shapes', () => {
  class Sum extends Layer {
    call([a, b]) {
      return ops.add(a, b);
    }
    computeMask(_inputs, [a]) {
      return a;
    }
  }
  const model = functional((x) => new Sum().apply([x, ops.exp(x)]));
  const entry = model.traceMasks(ids()).find(({ className }) => className === 'Sum');
  assert.deepEqual([letters(entry.maskIn[0]), entry.maskIn[1]], [guideMask, null]);
  assert.deepEqual(entry.shapeIn, [
    [3, 6, 16],
    [3, 6, 16],
  ]);
  assert.deepEqual([letters(entry.maskOut), entry.role], [guideMask, 'passes']);
});

test('a mask given from outside is traced from the first layer on', () => {
  const model = new Sequential([layers.dense({ units: 2 }), sequences()]);
  const trace = model.traceMasks(ops.ones([1, 3, 2]), { mask: rows('TFT') });
  assert.deepEqual(story(trace), ['Dense passes', 'LSTM uses and passes']);
  assert.deepEqual(letters(trace[0].maskIn), ['TFT']);
});

test('without any mask every role is none', () => {
  const model = new Sequential([layers.dense({ units: 2 }), sequences(), layers.flatten()]);
  const trace = model.traceMasks(ops.ones([1, 3, 2]));
  assert.deepEqual(story(trace), ['Dense none', 'LSTM none', 'Flatten none']);
  assert.ok(
    trace.every(
      ({ maskIn, maskOut, remedy }) => maskIn === null && maskOut === null && remedy === '',
    ),
  );
});

test('tracing changes no numbers, warns as apply does, and leaves nothing behind', async () => {
  const model = new Sequential([embedding(), layers.flatten()]);
  const data = ids();
  const before = model.predict(data).array();
  model.traceMasks(data);
  leavesNothing(() => model.traceMasks(data));
  assert.deepEqual(model.predict(data).array(), before);
  await mf.ready({ onMaskDropped: 'warn' });
  const { warnings } = warned(() => model.traceMasks(data));
  await mf.ready({ onMaskDropped: 'silent' });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /Flatten/);
});

test('an error while tracing leaves nothing behind, and the next trace works', () => {
  const model = new Sequential([layers.dense({ units: 2 }), sequences()]);
  const [good, bad] = [ops.ones([1, 3, 2]), ops.ones([1, 3, 5])];
  model.traceMasks(good);
  leavesNothing(() => assert.throws(() => model.traceMasks(bad), mf.ShapeError));
  assert.equal(model.traceMasks(good).length, 2);
});

// --- The words: of each role, and of what Keras does with masks that one would not expect --------------

const entriesOf = (model, input = ids(), options = {}) => model.traceMasks(input, options);
const entryFor = (trace, className) => trace.find((entry) => entry.className === className);
const bare = (x) => ops.multiply(x, 1);

test('every class says what it does with the mask that came, and nothing that it does not', () => {
  const through = (make) => (x) => {
    const made = make();
    return made.apply(x);
  };
  const cases = [
    [
      'passes',
      /Dense 'd.*' computes every step, padding too, and hands the mask on/,
      through(() => layers.dense({ units: 2, name: 'd1' })),
    ],
    [
      'uses and passes',
      /LSTM .* leaves the masked steps out and hands the mask on/,
      through(() => sequences()),
    ],
    [
      'uses',
      /GRU .* leaves the masked steps out; its output has no time axis/,
      through(() => layers.gru({ units: 2 })),
    ],
    [
      'uses',
      /GlobalAveragePooling1D .* uses the mask; its output has no time axis/,
      through(() => layers.globalAveragePooling1D()),
    ],
    [
      'uses and passes',
      /BatchNormalization .* normalises every step.*statistics when training/,
      through(() => layers.batchNormalization()),
    ],
    [
      'uses and passes',
      /TimeDistributed .* step by step.* part of the mask/,
      through(() => layers.timeDistributed({ layer: layers.dense({ units: 2 }) })),
    ],
    [
      'changes',
      /Masking .* makes a mask of its own.*does not count/,
      through(() => layers.masking({ maskValue: 1e9 })),
    ],
    ['drops', /Dot .* gives its result no mask/, (x) => layers.dot({ axes: 2 }).apply([x, x])],
    [
      'drops',
      /Conv1D .* does not support masking/,
      through(() => layers.conv1D({ filters: 2, kernelSize: 2 })),
    ],
    [
      'drops',
      /Add .* only where every input has a mask, and input 2 has none/,
      (x) => layers.add().apply([x, bare(x)]),
    ],
    ['passes', /Add .* joins the masks of its inputs/, (x) => layers.add().apply([x, x])],
    ['passes', /Concatenate .* joins the masks/, (x) => layers.concatenate().apply([x, x])],
    [
      'uses and passes',
      /Attention .* no weight .*mask of the query/,
      (x) => layers.attention().apply([x, x]),
    ],
    ['uses', /Attention .* its query has no mask/, (x) => layers.attention().apply([bare(x), x])],
    [
      'uses and passes',
      /AdditiveAttention .* no weight/,
      (x) => layers.additiveAttention().apply([x, x]),
    ],
    [
      'passes',
      /GroupQueryAttention .* hides the keys .*mask of the query\.$/,
      (x) =>
        layers
          .groupQueryAttention({ headDim: 2, numQueryHeads: 2, numKeyValueHeads: 1 })
          .apply({ query: x, value: x }),
    ],
    [
      'passes',
      /MultiHeadAttention .* hides the keys .*takes the masks off/,
      (x) => layers.multiHeadAttention({ numHeads: 1, keyDim: 2 }).apply({ query: x, value: x }),
    ],
  ];
  for (const [role, words, build] of cases) {
    const trace = functional(build).traceMasks(ids());
    const entry = trace.findLast(({ isLayer }) => isLayer);
    assert.equal(entry.role, role, entry.reason);
    assert.match(entry.reason, words);
    assert.equal(entry.remedy === '', role !== 'drops', entry.reason);
  }
});

test('no mask: who makes none says so, and an Embedding why', () => {
  const model = new Sequential([layers.embedding({ inputDim: 5000, outputDim: 2 }), sequences()]);
  const [first, second] = model.traceMasks(ids());
  assert.match(first.reason, /makes no mask: its maskZero is off/);
  assert.match(second.reason, /^No mask came to LSTM '.*', and it makes none\.$/);
});

test('MultiHeadAttention takes the mask off: who reads the tensor later is told, with the remedy', () => {
  const attend = (x) =>
    layers.multiHeadAttention({ numHeads: 1, keyDim: 2 }).apply({ query: x, value: x });
  const trace = entriesOf(functional((x) => layers.add().apply([x, attend(x)])));
  const add = entryFor(trace, 'Add');
  assert.deepEqual([add.role, add.maskIn[0]], ['drops', null]);
  assert.match(add.reason, /input 1 has none \(a MultiHeadAttention that ran before took it off/);
  // Attachment is all that a second attention goes by.
  const again = entriesOf(
    functional((x) => layers.flatten().apply(layers.concatenate().apply([attend(x), attend(x)]))),
  );
  const second = again.filter(({ className }) => className === 'MultiHeadAttention')[1];
  assert.equal(second.role, 'none');
  assert.match(second.reason, /took it off the tensor, as Keras's does/);
  assert.match(second.remedy, /layer\.apply\(x, \{ mask \}\).*withMask/);
});

test('operations that Keras writes into the graph to compute a mask are explained on request', () => {
  const model = functional((x) =>
    layers.lstm({ units: 2 }).apply(layers.concatenate({ axis: 1 }).apply([x, x])),
  );
  const plain = entriesOf(model);
  assert.ok(plain.every(({ isLayer }) => isLayer));
  const whole = entriesOf(model, ids(), { maskOperations: true });
  const computing = whole.filter(({ role }) => role === 'computes');
  assert.deepEqual(whole.filter(({ role }) => role !== 'computes').length, plain.length);
  assert.ok(computing.some(({ className }) => className === 'NotEqual'));
  for (const { reason, remedy, isLayer } of computing) {
    assert.match(
      reason,
      /belongs to the model's graph and computes nothing but a mask: Keras writes/,
    );
    assert.deepEqual([remedy, isLayer], ['', false]);
  }
  // An operation of the user's is not one of them, even where it stands before a mask.
  const own = functional((x) => layers.lstm({ units: 2 }).apply(ops.add(x, 1)));
  const added = entryFor(entriesOf(own, ids(), { maskOperations: true }), 'Add');
  assert.equal(added.role, 'drops');
});

test('nested models hand masks inside, and say that the rest is listed a level deeper', () => {
  const inner = new Sequential([layers.dense({ units: 2 }), sequences(2)]);
  const trace = entriesOf(new Sequential([embedding(), inner]));
  const entry = entryFor(trace, 'Sequential');
  assert.match(
    entry.reason,
    /hands the mask to the layers inside, which are listed a level deeper/,
  );
});
