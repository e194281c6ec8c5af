// SPDX-License-Identifier: MIT
// Layers that users write in JavaScript: masks, weights, shapes, sublayers, in models and wrappers.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { MyActivation, Plain, Scale, TemporalSplit } from '../support/custom_layers.js';
import { close, leavesNothing, letters, rows, collectWarnings } from '../support/watch.js';

before(() => mf.ready({ onMaskDropped: 'warn', maskPropagation: 'keras-3.15' }));

const { Input, Layer, layers, Model, ops, Sequential, tensor } = mf;
const mask = rows('TTF TFF');
const x = () => ops.reshape(ops.arange(12, { dtype: 'float32' }), [2, 3, 2]);
const summing = (call) =>
  new (class Summing extends Layer {
    call(inputs, options) {
      return call(inputs, options);
    }
  })();

test('computeMask returns one mask per output, and null without a mask', () => {
  const split = new TemporalSplit();
  assert.equal(split.supportsMasking, true, 'overriding computeMask means support');
  const outputs = split.apply(x().withMask(mask));
  assert.deepEqual(
    outputs.map((y) => [y.shape, letters(y.mask)]),
    [
      [
        [2, 2, 2],
        ['TT', 'TF'],
      ],
      [
        [2, 1, 2],
        ['F', 'F'],
      ],
    ],
  );
  assert.deepEqual(
    split.apply(x()).map((y) => y.mask),
    [null, null],
  );
});

test('supportsMasking passes the mask on; without it each call drops the mask, and the first one warns', () => {
  const passes = collectWarnings(() => new MyActivation().apply(x().withMask(mask)));
  assert.deepEqual([letters(passes.result.mask), passes.warnings], [['TTF', 'TFF'], []]);
  const unmasked = new Plain();
  const drops = collectWarnings(() => [
    unmasked.apply(x().withMask(mask)),
    unmasked.apply(x().withMask(mask)),
  ]);
  assert.deepEqual(
    drops.result.map((y) => y.mask),
    [null, null],
  );
  assert.equal(drops.warnings.length, 1);
  assert.match(
    drops.warnings[0],
    new RegExp(`'${unmasked.name}' \\(Plain\\) does not support masking`),
  );
  assert.deepEqual(collectWarnings(() => unmasked.apply(x())).warnings, []);
});

test('supportsMasking = false disables an overridden computeMask', () => {
  const split = new TemporalSplit();
  split.supportsMasking = false;
  const { result, warnings } = collectWarnings(() => split.apply(x().withMask(mask)));
  assert.deepEqual([result[0].mask, warnings.length], [null, 1]);
});

test('a mask attached to the output inside call wins over computeMask', () => {
  class WithMask extends Layer {
    call(inputs) {
      return ops.add(inputs, 1).withMask(rows('FFF FFT'));
    }
    computeMask(_inputs, mask) {
      return mask;
    }
  }
  assert.deepEqual(letters(new WithMask().apply(x().withMask(mask)).mask), ['FFF', 'FFT']);
});

test("onMaskDropped: 'error' throws and names the layer, 'silent' prints nothing", async () => {
  const layer = new Plain();
  await mf.ready({ onMaskDropped: 'error' });
  assert.equal(mf.runtimeInfo().onMaskDropped, 'error');
  assert.throws(() => layer.apply(x().withMask(mask)), /plain.*withMask\(null\)/);
  await mf.ready({ onMaskDropped: 'silent' });
  assert.deepEqual(collectWarnings(() => layer.apply(x().withMask(mask))).warnings, []);
  await mf.ready({ onMaskDropped: 'warn' });
  assert.equal(collectWarnings(() => layer.apply(x().withMask(mask))).warnings.length, 1);
});

test('call receives the attached mask, the explicit one, or null', () => {
  const masks = [];
  const layer = summing((inputs, { mask }) => {
    masks.push(mask && letters(mask));
    return ops.add(inputs, 1);
  });
  // call() of the wrapper must mention mask itself to receive it.
  const takes = new (class Takes extends Layer {
    call(inputs, { mask, training }) {
      return layer.call(inputs, { mask, training });
    }
  })();
  collectWarnings(() => {
    takes.apply(x().withMask(mask));
    takes.apply(x().withMask(mask), { mask: rows('FFF TTT') });
    takes.apply(x());
  });
  assert.deepEqual(masks, [['TTF', 'TFF'], ['FFF', 'TTT'], null]);
});

test('masks of lists and dictionaries of inputs have the same structure', () => {
  let masks;
  class Join extends Layer {
    call(inputs, { mask }) {
      masks = mask;
      const [a, b] = Array.isArray(inputs) ? inputs : [inputs.a, inputs.b];
      masks = Array.isArray(mask)
        ? mask.map((m) => m && letters(m))
        : { a: mask.a && letters(mask.a), b: mask.b };
      return ops.add(a, b);
    }
    computeMask(inputs, mask) {
      return Array.isArray(inputs) ? mask[0] : mask.a;
    }
  }
  const [a, b] = [x().withMask(mask), x()];
  const join = new Join();
  assert.deepEqual(letters(join.apply([a, b]).mask), ['TTF', 'TFF']);
  assert.deepEqual(masks, [['TTF', 'TFF'], null]);
  assert.deepEqual(letters(join.apply({ a, b }).mask), ['TTF', 'TFF']);
  assert.deepEqual(masks, { a: ['TTF', 'TFF'], b: null });
  assert.deepEqual(letters(join.apply({ a: x(), b }, { mask: { a: rows('FFT FFT') } }).mask), [
    'FFT',
    'FFT',
  ]);
});

test('call receives training and other options in camelCase', () => {
  const calls = [];
  const layer = summing((inputs, { training, ...options }) => {
    calls.push([training, options.reverse, options.otherSequence?.array()]);
    return inputs;
  });
  layer.apply(x());
  layer.apply(x(), { training: true, reverse: true });
  layer.apply(x(), { training: false, otherSequence: tensor([1]) });
  assert.deepEqual(calls, [
    [null, undefined, undefined],
    [true, true, undefined],
    [false, undefined, [1]],
  ]);
});

test('training of a model reaches the custom layers inside', () => {
  const modes = new Set();
  const layer = summing((inputs, { training }) => {
    modes.add(training);
    return inputs;
  });
  const model = new Sequential([layer]);
  model.predict(x());
  assert.ok(!modes.has(true), 'predict does not train');
  modes.clear();
  model.apply(x(), { training: true });
  assert.ok(modes.has(true), `saw ${[...modes]}`);
});

test('build runs once, before the first call', () => {
  const scale = new Scale({ factor: 3 });
  assert.equal(scale.built, false);
  assert.deepEqual(scale.apply([[1, 2]]).array(), [[3, 6]]);
  scale.apply([[1, 2]]);
  scale.build([null, 2]);
  assert.deepEqual([scale.builds, scale.built], [1, true]);
  assert.deepEqual(scale.weights, [
    { name: 'gain', path: `${scale.name}/gain`, shape: [2], dtype: 'float32', trainable: true },
  ]);
  scale.setWeights([[10, 100]]);
  assert.deepEqual(scale.apply([[1, 2]]).array(), [[30, 600]]);
});

test('addWeight accepts initializers, dtype and trainable, also in the constructor', () => {
  class Weights extends Layer {
    constructor() {
      super();
      const constant = { class_name: 'Constant', config: { value: 3 } };
      this.fixed = this.addWeight({
        name: 'fixed',
        shape: [2],
        initializer: constant,
        trainable: false,
      });
      this.random = this.addWeight({ name: 'random', shape: [4, 4] });
    }
    call(inputs) {
      return ops.add(inputs, this.fixed);
    }
  }
  const layer = new Weights();
  assert.deepEqual(layer.apply([[1, 2]]).array(), [[4, 5]]);
  assert.deepEqual(
    layer.nonTrainableWeights.map((w) => w.name),
    ['fixed'],
  );
  assert.deepEqual(
    layer.trainableWeights.map((w) => w.name),
    ['random'],
  );
  assert.ok(layer.fixed instanceof mf.Variable);
  assert.deepEqual(
    [layer.fixed.name, [...layer.fixed.shape], layer.fixed.value.array()],
    ['fixed', [2], [3, 3]],
  );
  assert.ok(new Set(layer.random.value.data()).size > 8);
  assert.throws(() => layer.addWeight({ name: 3, shape: [1] }), mf.ValueError);
});

test('the shape of a symbolic output comes from running call, or from computeOutputShape', () => {
  const symbol = Input({ shape: [null, 2] });
  assert.deepEqual(
    new TemporalSplit().apply(Input({ shape: [6, 2] })).map((y) => y.shape),
    [
      [null, 2, 2],
      [null, 4, 2],
    ],
  );
  const flat = summing((inputs) => ops.sum(inputs, { axis: 1 }));
  assert.deepEqual(flat.apply(symbol).shape, [null, 2]);
  let runs = 0;
  class Told extends Layer {
    call(inputs) {
      runs++;
      return ops.mean(inputs, { axis: -1 });
    }
    computeOutputShape(inputShape) {
      return inputShape.slice(0, -1);
    }
  }
  assert.deepEqual(new Told().apply(symbol).shape, [null, null]);
  assert.equal(runs, 0);
  assert.deepEqual(new Told().computeOutputShape([4, 5, 6]), [4, 5]);
  assert.deepEqual(flat.computeOutputShape([4, 5, 6]), [4, 6]);
});

test('outputs may be a list or a dictionary, eagerly and in a model', () => {
  class Both extends Layer {
    call(inputs) {
      return { more: ops.add(inputs, 1), less: ops.subtract(inputs, 1) };
    }
  }
  const eager = new Both().apply([[5]]);
  assert.deepEqual([eager.more.array(), eager.less.array()], [[[6]], [[4]]]);
  const input = Input({ shape: [1] });
  const { more, less } = new Both().apply(input);
  const model = new Model({ inputs: input, outputs: { less, more } });
  const { less: down, more: up } = model.predict([[5]]);
  assert.deepEqual([up.array(), down.array()], [[[6]], [[4]]]);
});

test('layers in properties are tracked, also in arrays and objects', () => {
  class Block extends Layer {
    constructor() {
      super();
      this.first = layers.dense({ units: 2, name: 'first' });
      this.rest = [layers.dense({ units: 3, name: 'listed' })];
      this.named = { last: new Scale({ name: 'kept' }) };
      this.again = this.first;
    }
    call(inputs) {
      return this.named.last.apply(this.rest[0].apply(this.first.apply(inputs)));
    }
  }
  const block = new Block();
  const expected = block.apply([[1, 2]]).array();
  const path = (weightName) => `${block.name}/${weightName}`;
  assert.deepEqual(
    block.weights.map((w) => w.path),
    ['first/kernel', 'first/bias', 'listed/kernel', 'listed/bias', 'kept/gain'].map(path),
  );
  const copy = new Block();
  copy.build([null, 2]);
  copy.apply([[1, 2]]);
  copy.setWeights(block.getWeights());
  close(copy.apply([[1, 2]]).array(), expected);
});

test('tensors created inside call are freed, except returned and kept ones', () => {
  let tensor;
  const layer = summing((inputs) => {
    for (let i = 0; i < 10; i++) ops.exp(inputs);
    tensor?.dispose();
    tensor = mf.keep(ops.add(inputs, 1));
    return ops.multiply(ops.exp(inputs), 2);
  });
  const input = x();
  layer.apply(input).dispose();
  leavesNothing(() => layer.apply(input).dispose());
  assert.deepEqual(tensor.array(), ops.add(x(), 1).array());
});

describe('a mask that a helper reads from the options', () => {
  const maskedInputs = (inputs, { mask: optionMask }) =>
    ops.multiply(
      inputs,
      optionMask === null ? 0 : ops.expandDims(ops.cast(optionMask, 'float32'), -1),
    );
  const handsOn = (usesMask) => {
    class HandsOn extends Layer {
      call(inputs, options) {
        return maskedInputs(inputs, options);
      }
    }
    if (usesMask !== undefined) HandsOn.usesMask = usesMask;
    return HandsOn;
  };
  const expected = [
    [
      [0, 1],
      [2, 3],
      [0, 0],
    ],
    [
      [6, 7],
      [0, 0],
      [0, 0],
    ],
  ];
  const graph = (Class) => {
    const input = Input({ shape: [3, 2] });
    return new Model({
      inputs: input,
      outputs: new Class().apply(layers.masking({ maskValue: -1 }).apply(input)),
    });
  };

  test('is passed, with one note per class', () => {
    const Class = handsOn();
    const { result, warnings } = collectWarnings(() => {
      const layer = new Class({ name: 'hands_on' });
      layer.supportsMasking = true;
      return [
        layer.apply(x().withMask(mask)),
        layer.apply(x().withMask(mask)),
        new Class().apply(x(), { mask }),
      ];
    });
    for (const y of result) assert.deepEqual(y.array(), expected);
    const notes = warnings.filter((text) => /static usesMask = true/.test(text));
    assert.equal(notes.length, 1, warnings.join());
    assert.match(notes[0], /call\(\) of HandsOn/);
  });

  test('is announced by static usesMask: no note, and graphs know of it', () => {
    const Class = handsOn(true);
    const { result, warnings } = collectWarnings(() => new Class().apply(x().withMask(mask)));
    assert.deepEqual(result.array(), expected);
    assert.ok(!warnings.some((text) => /usesMask/.test(text)));
    const data = ops.where(ops.expandDims(ops.cast(tensor(mask), 'bool'), -1), x(), -1);
    assert.deepEqual(graph(Class).predict(data).array(), expected);
  });

  test('named in the parameter list: no note, with any default values', () => {
    const call = (inputs, options) => maskedInputs(inputs, options);
    class Destructures extends Layer {
      call(inputs, { mask: attached = (() => null)(), ...rest } = {}) {
        return call(inputs, { ...rest, mask: attached });
      }
    }
    const { result, warnings } = collectWarnings(() =>
      new Destructures().apply(x().withMask(mask)),
    );
    assert.deepEqual(result.array(), expected);
    assert.ok(!warnings.some((text) => /usesMask/.test(text)));
  });

  test('read in the body of call: passed with a note, in graphs too', () => {
    class ReadsOptions extends Layer {
      call(inputs, options) {
        const { mask: attached } = options;
        return maskedInputs(inputs, { mask: attached });
      }
    }
    const data = ops.where(ops.expandDims(ops.cast(tensor(mask), 'bool'), -1), x(), -1);
    const { result, warnings } = collectWarnings(() => [
      new ReadsOptions().apply(x().withMask(mask)),
      graph(ReadsOptions).predict(data),
    ]);
    for (const y of result) assert.deepEqual(y.array(), expected);
    const notes = warnings.filter((text) => /static usesMask = true/.test(text));
    assert.equal(notes.length, 1, warnings.join());
  });

  test('a mention of the mask in the body alone does not declare it', () => {
    class Mentions extends Layer {
      call(inputs) {
        const note = 'this layer needs no mask';
        return ops.multiply(inputs, note.length > 0 ? 1 : 0);
      }
    }
    const model = graph(Mentions);
    assert.doesNotMatch(JSON.stringify(model.getConfig().layers.at(-1)), /"mask"/);
  });

  test('static usesMask = false: no mask, even if the source mentions the word', () => {
    class Mentions extends Layer {
      static usesMask = false;
      call(inputs, { mask: callMask }) {
        return callMask === null ? inputs : ops.multiply(inputs, 0);
      }
    }
    const { result } = collectWarnings(() => new Mentions().apply(x().withMask(mask)));
    assert.deepEqual(result.array(), x().array());
  });

  test('without a mask there is no note, and spread options have no mask', () => {
    class Spreads extends Layer {
      call(inputs, options) {
        assert.ok(!('mask' in { ...options }));
        return maskedInputs(inputs, options);
      }
    }
    const { result, warnings } = collectWarnings(() => new Spreads().apply(x()));
    assert.deepEqual(result.array().flat(2), Array(12).fill(0));
    assert.deepEqual(warnings, []);
  });
});
