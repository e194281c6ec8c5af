// SPDX-License-Identifier: MIT
// traceMasks reports for each layer and op the mask in, the mask out, its role, and where the mask
// was lost.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { leavesNothing, letters, rows, collectWarnings } from '../support/watch.js';

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

test("the guide's Sequential and functional models: Embedding makes the mask, LSTM uses it", () => {
  const models = [
    new Sequential([embedding(), layers.lstm({ units: 32 })]),
    functional((x) => layers.lstm({ units: 32 }).apply(x)),
  ];
  for (const model of models) {
    const trace = model.traceMasks(ids()).filter(({ className }) => className !== 'InputLayer');
    assert.deepEqual(story(trace), ['Embedding makes', 'LSTM uses']);
    const [makes, uses] = trace;
    assert.equal(makes.maskIn, null);
    assert.deepEqual(letters(makes.maskOut), guideMask);
    assert.deepEqual(letters(uses.maskIn), guideMask);
    assert.equal(uses.maskOut, null);
    assert.match(uses.reason, /LSTM '.*' skips the masked steps.*no longer has a time axis/);
    assert.deepEqual([makes.remedy, uses.remedy], ['', '']);
  }
});

test('an entry has names, path, depth and shapes', () => {
  const model = new Sequential([embedding(), layers.lstm({ units: 32 })], { name: 'reader' });
  const [entry] = model.traceMasks(ids());
  const { reason, maskOut, ...fields } = entry;
  const { name } = model.layers[0];
  assert.deepEqual(fields, {
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

test('layers that compute each step alone pass the mask', () => {
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

test('an op drops the mask; the reason says why, and following the remedy helps', () => {
  const withoutMask = functional((x) => sequences().apply(ops.add(x, 1)));
  const trace = withoutMask.traceMasks(ids());
  assert.deepEqual(story(trace), ['Embedding makes', 'Add drops', 'LSTM none']);
  const drop = trace.find(({ role }) => role === 'drops');
  assert.deepEqual([drop.isLayer, drop.maskOut, letters(drop.maskIn[0])], [false, null, guideMask]);
  assert.match(drop.reason, /plain operation never carries a mask over/);
  assert.match(drop.remedy, /y\.withMask\(x\.mask\).*use a layer/);
  const withMask = functional((x) => sequences().apply(ops.add(x, 1).withMask(x.mask)));
  assert.ok(!story(withMask.traceMasks(ids())).includes('LSTM none'));
  assert.equal(withMask.apply(ids()).mask.shape.length, 2);
});

test('a layer that does not support masks drops it, and the remedy is spelled as code', () => {
  const model = new Sequential([embedding(), layers.flatten()]);
  const [, drop] = model.traceMasks(ids());
  assert.deepEqual([drop.className, drop.role, drop.maskOut], ['Flatten', 'drops', null]);
  assert.match(drop.reason, /Flatten 'flatten.*' does not support masking/);
  assert.equal(
    drop.remedy,
    'Use a layer that leaves masked steps out: layers.globalAveragePooling1D().apply(x).',
  );
});

class MyActivation extends Layer {
  call(inputs) {
    return ops.relu(ops.add(inputs, 0.5));
  }
}

test('a custom layer drops the mask without supportsMasking and passes it with it; its ops are one level deeper', () => {
  const traceOf = (supports) => {
    const layer = new MyActivation();
    layer.supportsMasking = supports;
    const model = new Sequential([embedding(), layer, layers.lstm({ units: 2 })]);
    return model.traceMasks(ids());
  };
  const top = (trace) => story(trace.filter(({ depth }) => depth === 0));
  assert.deepEqual(top(traceOf(true)), ['Embedding makes', 'MyActivation passes', 'LSTM uses']);
  assert.deepEqual(top(traceOf(false)), ['Embedding makes', 'MyActivation drops', 'LSTM none']);
  const inside = traceOf(true).filter(({ depth }) => depth > 0);
  assert.deepEqual(story(inside), ['Add drops']);
  assert.match(inside[0].path, /\/my_activation\S*\/Add$/);
});

test('TemporalSplit changes the mask, and every output has its own', () => {
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

test('a layer that uses the mask without supporting masks uses and drops it (TemporalSoftmax)', () => {
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

test('an initial state makes an LSTM ignore the attached mask; the remedy is to pass it to the call', () => {
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
  const withRemedy = decoder(true)
    .traceMasks(ids())
    .find(({ layer }) => layer === 'reads');
  assert.equal(withRemedy.role, 'uses');
});

test("under Keras 3.16's rule recurrent layers drop the mask", async () => {
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
  const outer = new Sequential([new MyLayer({ name: 'mine' })], { name: 'outer' });
  const lines = outer.traceMasks(ids()).map(({ depth, path, role }) => `${depth} ${path} ${role}`);
  assert.match(lines[0], /^0 outer\/mine /);
  assert.match(lines[1], /^1 outer\/mine\/embedding\S* makes$/);
  assert.match(lines[2], /^1 outer\/mine\/lstm\S* uses$/);
});

test('several inputs have a list of masks and shapes', () => {
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

test('a mask passed to the call is traced from the first layer on', () => {
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

test('tracing changes no results, warns as apply does, and frees its memory', async () => {
  const model = new Sequential([embedding(), layers.flatten()]);
  const data = ids();
  const expected = model.predict(data).array();
  model.traceMasks(data);
  leavesNothing(() => model.traceMasks(data));
  assert.deepEqual(model.predict(data).array(), expected);
  await mf.ready({ onMaskDropped: 'warn' });
  const { warnings } = collectWarnings(() => model.traceMasks(data));
  await mf.ready({ onMaskDropped: 'silent' });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /Flatten/);
});

test('an error while tracing frees all memory, and the next trace works', () => {
  const model = new Sequential([layers.dense({ units: 2 }), sequences()]);
  const [valid, invalid] = [ops.ones([1, 3, 2]), ops.ones([1, 3, 5])];
  model.traceMasks(valid);
  leavesNothing(() => assert.throws(() => model.traceMasks(invalid), mf.ShapeError));
  assert.equal(model.traceMasks(valid).length, 2);
});

// --- Reasons: one for each role, and for the cases in which Keras treats masks surprisingly ---

const entriesOf = (model, input = ids(), options = {}) => model.traceMasks(input, options);
const entryFor = (trace, className) => trace.find((entry) => entry.className === className);
const bare = (x) => ops.multiply(x, 1);

test('the reason of every class says what it does with its mask, and nothing else', () => {
  const through = (make) => (x) => {
    const layer = make();
    return layer.apply(x);
  };
  const cases = [
    [
      'passes',
      /Dense 'd.*' computes every step, padding too, and passes the mask on/,
      through(() => layers.dense({ units: 2, name: 'd1' })),
    ],
    [
      'uses and passes',
      /LSTM .* skips the masked steps and passes the mask on/,
      through(() => sequences()),
    ],
    [
      'uses',
      /GRU .* skips the masked steps; its output no longer has a time axis/,
      through(() => layers.gru({ units: 2 })),
    ],
    [
      'uses',
      /GlobalAveragePooling1D .* uses the mask; its output no longer has a time axis/,
      through(() => layers.globalAveragePooling1D()),
    ],
    [
      'uses and passes',
      /BatchNormalization .* normalises every step.*statistics when training/,
      through(() => layers.batchNormalization()),
    ],
    [
      'uses and passes',
      /TimeDistributed .* passes the mask of each step to the layer inside/,
      through(() => layers.timeDistributed({ layer: layers.dense({ units: 2 }) })),
    ],
    [
      'changes',
      /Masking .* makes its mask from the values.*is ignored/,
      through(() => layers.masking({ maskValue: 1e9 })),
    ],
    ['drops', /Dot .* returns no mask/, (x) => layers.dot({ axes: 2 }).apply([x, x])],
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
      /GroupQueryAttention .* hides keys .*mask of the query\.$/,
      (x) =>
        layers
          .groupQueryAttention({ headDim: 2, numQueryHeads: 2, numKeyValueHeads: 1 })
          .apply({ query: x, value: x }),
    ],
    [
      'passes',
      /MultiHeadAttention .* hides keys .*removes the masks/,
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

test('without a mask the reason says that the layer makes none, and why an Embedding does not', () => {
  const model = new Sequential([layers.embedding({ inputDim: 5000, outputDim: 2 }), sequences()]);
  const [first, second] = model.traceMasks(ids());
  assert.match(first.reason, /makes no mask because its maskZero is off/);
  assert.match(second.reason, /^No mask reached LSTM '.*', and it does not make one\.$/);
});

test('MultiHeadAttention removes the mask; the reason of a later reader says so, with the remedy', () => {
  const attend = (x) =>
    layers.multiHeadAttention({ numHeads: 1, keyDim: 2 }).apply({ query: x, value: x });
  const trace = entriesOf(functional((x) => layers.add().apply([x, attend(x)])));
  const add = entryFor(trace, 'Add');
  assert.deepEqual([add.role, add.maskIn[0]], ['drops', null]);
  assert.match(add.reason, /input 1 has none \(an earlier MultiHeadAttention removed it/);
  // Another attention layer sees only masks that are attached to its inputs.
  const copy = entriesOf(
    functional((x) => layers.flatten().apply(layers.concatenate().apply([attend(x), attend(x)]))),
  );
  const second = copy.filter(({ className }) => className === 'MultiHeadAttention')[1];
  assert.equal(second.role, 'none');
  assert.match(second.reason, /removed it from the tensor, as in Keras/);
  assert.equal(second.remedy, 'Give the earlier attention a copy: x.withMask(x.mask).');
});

test('ops that Keras writes into the graph to compute a mask are explained on request', () => {
  const model = functional((x) =>
    layers.lstm({ units: 2 }).apply(layers.concatenate({ axis: 1 }).apply([x, x])),
  );
  const withoutMaskOps = entriesOf(model);
  assert.ok(withoutMaskOps.every(({ isLayer }) => isLayer));
  const withMaskOps = entriesOf(model, ids(), { maskOperations: true });
  const computing = withMaskOps.filter(({ role }) => role === 'computes');
  assert.deepEqual(
    withMaskOps.filter(({ role }) => role !== 'computes').length,
    withoutMaskOps.length,
  );
  assert.ok(computing.some(({ className }) => className === 'NotEqual'));
  for (const { reason, remedy, isLayer } of computing) {
    assert.match(reason, /belongs to the model's graph and only computes a mask: Keras writes/);
    assert.deepEqual([remedy, isLayer], ['', false]);
  }
  // An op of the user is not part of computing a mask, even right before it.
  const withUserOp = functional((x) => layers.lstm({ units: 2 }).apply(ops.add(x, 1)));
  const entry = entryFor(entriesOf(withUserOp, ids(), { maskOperations: true }), 'Add');
  assert.equal(entry.role, 'drops');
});

test('nested models pass masks inside, and their reason points to the entries one level deeper', () => {
  const inner = new Sequential([layers.dense({ units: 2 }), sequences(2)]);
  const trace = entriesOf(new Sequential([embedding(), inner]));
  const entry = entryFor(trace, 'Sequential');
  assert.match(
    entry.reason,
    /passes the mask to the layers inside, which are listed one level deeper/,
  );
});
