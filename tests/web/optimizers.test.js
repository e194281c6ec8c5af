// SPDX-License-Identifier: MIT
// Optimizers, schedules and constraints as JavaScript calls them. Every rule is compared with Keras
// natively (tests/core/optimizer_conformance_test.cpp); the trajectories also run here, through the
// bindings.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { readFixture, toTensor } from '../support/recorded_cases.js';
import { excess } from '../support/gradients.js';
import { close, leavesNothing } from '../support/watch.js';
import { cpuTime } from '../support/cpu_time.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const { constraints, Layer, layers, ops, optimizers, schedules, tensor, tidy } = mf;

/** A layer that only holds weights. */
class Weights extends Layer {
  constructor(values) {
    super();
    this.variables = Object.entries(values).map(([name, value]) =>
      this.addWeight({ name, shape: value.shape, initializer: 'zeros' }),
    );
    this.setWeights(Object.values(values));
  }
  numbers = () => this.variables.map((variable) => tidy(() => variable.value.data()));
}
const weights = (values) =>
  new Weights(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, tensor(value)])),
  );

const { problems, cases } = readFixture('training/optimizers/optimizers.json');

/** Returns the numbers of one recorded step. */
const rowOf = (stacked, step) => {
  const size = stacked.shape.slice(1).reduce((a, b) => a * b, 1);
  const values = tidy(() => toTensor(stacked).data());
  return tensor(values.slice(step * size, (step + 1) * size), { shape: stacked.shape.slice(1) });
};

function gradientsOf(recording, step, names) {
  const { gradients_times: times, infinite_first_gradient_at: infinite } = recording;
  const [excludedName, ...steps] = (recording.no_gradient ?? '').split(/ at steps |, | \(/);
  return problems[recording.problem].gradients.map((all, i) => {
    if (excludedName === names[i] && steps.includes(String(step))) return null;
    const row = rowOf(all, step);
    const scaled = times ? ops.multiply(row, times) : row;
    return i === 0 && infinite === step ? ops.multiply(scaled, Number.POSITIVE_INFINITY) : scaled;
  });
}

function trajectory(recording) {
  const { variables: start } = problems[recording.problem];
  const names = start.map(({ name }) => name);
  const layer = new Weights(
    Object.fromEntries(start.map((variable) => [variable.name, toTensor(variable)])),
  );
  const optimizer = optimizers.deserialize(recording.optimizer);
  if (recording.exclude_from_weight_decay) {
    optimizer.excludeFromWeightDecay({ names: recording.exclude_from_weight_decay });
  }
  const actual = names.map(() => []);
  for (let step = 0; step < recording.learning_rate_after_step.length; step++) {
    tidy(() => optimizer.apply(gradientsOf(recording, step, names), layer.variables));
    layer.numbers().forEach((numbers, i) => void actual[i].push(...numbers));
    const expected = recording.learning_rate_after_step[step];
    assert.ok(Math.abs(optimizer.learningRate - expected) <= 1e-5 * expected + 1e-9);
  }
  recording.after_step.forEach((expected, i) => {
    assert.ok(excess(actual[i], expected, recording.spread) <= 1, `${names[i]} is too far off`);
  });
  const state = optimizer.getWeights();
  assert.deepEqual(
    optimizer.variables.map(({ name, path, shape }) => ({ name, path, shape })),
    recording.optimizer_variables.map(({ name, path, shape }) => ({ name, path, shape })),
  );
  recording.optimizer_variables.forEach((expected, i) => {
    const spread = Math.max(recording.spread, expected.spread);
    assert.ok(
      excess(state[i].data(), expected, spread, 1e-6) <= 1,
      `${expected.path} is too far off`,
    );
  });
  if (recording.finalized) {
    optimizer.finalizeVariableValues(layer.variables);
    recording.finalized.forEach((expected, i) => {
      assert.ok(excess(layer.numbers()[i], expected, recording.spread) <= 1, names[i]);
    });
  }
  optimizer.dispose();
  layer.dispose();
  for (const tensor of state) tensor.dispose();
}

describe("equals Keras's recordings", () => {
  // In maskflow, constraints belong to layers, so cases with a constraint are left out.
  for (const recording of cases.filter((testCase) => !testCase.constraint_on_first)) {
    test(recording.name, () => leavesNothing(() => tidy(() => trajectory(recording))));
  }

  const { cases: recordedSchedules } = readFixture('training/optimizers/schedules.json');
  for (const { schedule, values } of recordedSchedules) {
    const { class_name: name, config } = schedule;
    test(`${name} ${JSON.stringify(config)}`, () => {
      const actualSchedule = schedules[name[0].toLowerCase() + name.slice(1)](config);
      assert.deepEqual({ ...actualSchedule }, schedule);
      values.forEach((expected, step) => {
        const actual = actualSchedule.at(step);
        assert.ok(
          Math.abs(actual - expected) <= 1e-5 * Math.max(1e-3, expected),
          `${step}: ${actual}`,
        );
      });
    });
  }
});

describe('settings', () => {
  test('are accepted in camelCase and in snake_case', () => {
    const config = optimizers
      .adam({ learningRate: 0.5, beta1: 0.8, beta_2: 0.9, useEma: true, globalClipnorm: 2 })
      .getConfig();
    const { learning_rate, beta_1, beta_2, use_ema, global_clipnorm } = config;
    assert.deepEqual(
      { learning_rate, beta_1, beta_2, use_ema, global_clipnorm },
      { learning_rate: 0.5, beta_1: 0.8, beta_2: 0.9, use_ema: true, global_clipnorm: 2 },
    );
    assert.equal(optimizers.adafactor({ beta2Decay: -0.5 }).getConfig().beta_2_decay, -0.5);
    assert.equal(optimizers.muon({ adamBeta1: 0.5 }).getConfig().adam_beta_1, 0.5);
    assert.equal(
      optimizers.ftrl({ l1RegularizationStrength: 1 }).getConfig().l1_regularization_strength,
      1,
    );
  });

  test('get() accepts names, configs and optimizers', () => {
    for (const name of ['adam', 'Adam', 'rmsprop', 'AdamW', 'adamw', 'scheduleFreeAdamW']) {
      assert.equal(optimizers.get(name).className.toLowerCase(), name.toLowerCase());
    }
    const sgd = optimizers.sgd({ momentum: 0.5 });
    assert.equal(optimizers.get(sgd), sgd);
    const copy = optimizers.deserialize(JSON.parse(JSON.stringify(optimizers.serialize(sgd))));
    assert.deepEqual(copy.getConfig(), sgd.getConfig());
    assert.equal(optimizers.get({ class_name: 'SGD' }).className, 'SGD');
  });

  test('every function of optimizers creates its optimizer', () => {
    const inner = { innerOptimizer: 'adam' };
    for (const [name, make] of Object.entries(optimizers)) {
      if (['get', 'deserialize', 'serialize'].includes(name)) continue;
      const optimizer = make(name === 'lossScaleOptimizer' ? inner : {});
      assert.equal(optimizer.className.toLowerCase(), name.toLowerCase());
      assert.deepEqual(
        optimizers.deserialize(optimizer.serialize()).serialize(),
        optimizer.serialize(),
      );
    }
  });

  test('impossible settings are refused', () => {
    const { ConfigError, ValueError } = mf;
    const isError =
      (Class, ...parts) =>
      (error) =>
        error instanceof Class && parts.every((part) => error.message.includes(part));
    assert.throws(
      () => optimizers.adam({ learningrate: 1 }),
      isError(ConfigError, 'learning_rate'),
    );
    assert.throws(() => optimizers.get('adan'), isError(ConfigError, 'adan', 'Adam'));
    assert.throws(() => optimizers.get(3), isError(ConfigError, '3'));
    assert.throws(() => optimizers.get(null), isError(ConfigError, 'class_name'));
    assert.throws(() => optimizers.adam({ learningRate: 'fast' }), isError(ConfigError, 'fast'));
    assert.throws(
      () => optimizers.adam({ learningRate: Number.NaN }),
      isError(ConfigError, 'finite'),
    );
    assert.throws(() => optimizers.adam('fast'), isError(ValueError, 'fast'));
    assert.throws(
      () => optimizers.sgd({ clipnorm: 1, clipvalue: 1 }),
      isError(ConfigError, 'clipnorm'),
    );
    assert.throws(
      () => schedules.cosineDecay({ decaySteps: 3 }),
      isError(ConfigError, 'initial_learning_rate'),
    );
    assert.throws(() => constraints.maxNorm({ maxvalue: 3 }), isError(ConfigError, 'max_value'));
    assert.throws(
      () => optimizers.muon({ excludeLayers: ['('] }).build(weights({ w: [[1]] }).variables),
      isError(ConfigError, "'(' without ')'"),
    );
  });
});

describe('apply', () => {
  const gradient = () => tensor([1, 1]);

  test('builds for the variables of its first call, and for no others', () =>
    leavesNothing(() =>
      tidy(() => {
        const layer = weights({ kernel: [1, 2], bias: [3, 4] });
        const [kernel, bias] = layer.variables;
        const optimizer = optimizers.sgd({ learningRate: 1, momentum: 0.5 });
        assert.equal(optimizer.built, false);
        optimizer.apply([gradient()], [kernel]);
        assert.deepEqual(
          layer.numbers().map((x) => [...x]),
          [
            [0, 1],
            [3, 4],
          ],
        );
        assert.throws(
          () => optimizer.apply([gradient()], [bias]),
          /not built for the variable 'bias'/,
        );
        assert.throws(() => optimizer.apply([tensor([1])], [kernel]), mf.ShapeError);
        assert.throws(() => optimizer.apply([null], [kernel]), /gradient/);
        assert.throws(() => optimizer.apply([[1, 1]], [kernel]), mf.ValueError);
        assert.throws(() => optimizer.apply([gradient()], [kernel.value]), mf.ValueError);
        assert.throws(() => optimizer.apply([gradient()], [kernel, bias]), mf.ValueError);
        assert.throws(() => optimizer.build([kernel]), mf.StateError);
        assert.equal(optimizer.iterations, 1);
        optimizer.apply([null, gradient()].slice(1), [kernel]);
        assert.deepEqual([...layer.numbers()[0]], [-1.5, -0.5]);
        optimizer.dispose();
        layer.dispose();
      }),
    ));

  test('does not change a value that was read before', () => {
    const layer = weights({ kernel: [1, 2] });
    const value = layer.variables[0].value;
    optimizers.sgd({ learningRate: 1 }).apply([gradient()], layer.variables);
    assert.deepEqual([...value.data()], [1, 2]);
    assert.deepEqual([...layer.variables[0].value.data()], [0, 1]);
  });

  test('layers compute with the new values', () => {
    class Times extends Layer {
      build() {
        this.factor = this.addWeight({ name: 'factor', shape: [1], initializer: 'ones' });
      }
      call(x) {
        return ops.multiply(x, this.factor);
      }
    }
    const layer = new Times();
    const x = tensor([[2]]);
    assert.equal(layer.apply(x).item(), 2);
    const { gradients } = mf.valueAndGradients(() => ops.sum(layer.apply(x)), [layer.factor]);
    optimizers.sgd({ learningRate: 1 }).apply(gradients, [layer.factor]);
    assert.equal(layer.apply(x).item(), -2);
  });

  test('a scaled loss leads to the same step', () => {
    const unscaled = weights({ w: [1, 2] });
    optimizers.sgd({ learningRate: 1 }).apply([gradient()], unscaled.variables);
    for (const optimizer of [
      optimizers.sgd({ learningRate: 1, lossScaleFactor: 8 }),
      optimizers.lossScaleOptimizer({
        innerOptimizer: optimizers.sgd({ learningRate: 1 }),
        initialScale: 4,
      }),
    ]) {
      const layer = weights({ w: [1, 2] });
      const { gradients } = mf.valueAndGradients(
        () => optimizer.scaleLoss(ops.sum(layer.variables[0])),
        layer.variables,
      );
      assert.equal(gradients[0].data()[0], optimizer.lossScale);
      optimizer.apply(gradients, layer.variables);
      assert.deepEqual(layer.numbers(), unscaled.numbers());
    }
  });

  test('state can be copied from one optimizer to another', () => {
    const [first, second] = [weights({ w: [1, 2] }), weights({ w: [1, 2] })];
    const adam = optimizers.adam();
    adam.apply([tensor([1, -2])], first.variables);
    second.setWeights(first.getWeights());
    const resumed = optimizers.deserialize(adam.serialize());
    resumed.build(second.variables);
    resumed.setWeights(adam.getWeights());
    assert.equal(resumed.iterations, 1);
    for (const [optimizer, layer] of [
      [adam, first],
      [resumed, second],
    ]) {
      optimizer.apply([gradient()], layer.variables);
    }
    assert.deepEqual(second.numbers(), first.numbers());
    assert.throws(() => resumed.setWeights([]), mf.ValueError);
  });

  test('regular expressions exclude weights from weight decay', () => {
    const layer = weights({ kernel: [1, 1], bias: [1, 1] });
    const optimizer = optimizers.sgd({ learningRate: 1, weightDecay: 0.5 });
    assert.throws(() => optimizer.excludeFromWeightDecay({ names: ['('] }), mf.ConfigError);
    assert.throws(() => optimizer.excludeFromWeightDecay({ name: ['bias'] }), mf.ConfigError);
    optimizer.excludeFromWeightDecay({ names: ['^b.as$', /gamma/] });
    optimizer.apply([tensor([0, 0]), tensor([0, 0])], layer.variables);
    assert.deepEqual(
      layer.numbers().map(([x]) => x),
      [0.5, 1],
    );
    assert.throws(() => optimizer.excludeFromWeightDecay({ names: [] }), mf.StateError);
  });

  test('a disposed optimizer refuses every use', () => {
    const layer = weights({ kernel: [1, 2] });
    const optimizer = optimizers.adam();
    optimizer.dispose();
    optimizer.dispose();
    assert.equal(optimizer.isDisposed, true);
    assert.throws(() => optimizer.apply([gradient()], layer.variables), mf.StateError);
    assert.throws(() => optimizer.learningRate, mf.StateError);
    const otherOptimizer = optimizers.adam();
    otherOptimizer.build(layer.variables);
    const { variables } = layer;
    layer.dispose();
    assert.throws(() => otherOptimizer.apply([gradient()], variables), mf.StateError);
  });
});

describe('learning rates', () => {
  const step = (optimizer, layer) => optimizer.apply([tensor([1])], layer.variables);

  test('a number can be set', () => {
    const optimizer = optimizers.sgd({ learningRate: 0.5 });
    optimizer.learningRate = 0.25;
    assert.equal(optimizer.learningRate, 0.25);
    assert.equal(optimizer.getConfig().learning_rate, 0.25);
    assert.throws(() => (optimizer.learningRate = 'x'), mf.ConfigError);
    assert.throws(() => (optimizer.learningRate = Number.NaN), mf.ConfigError);
    assert.equal(optimizer.learningRate, 0.25);
  });

  test('a schedule follows the steps', () => {
    const layer = weights({ w: [0] });
    const learningRate = schedules.piecewiseConstantDecay({ boundaries: [0], values: [1, 10] });
    const optimizer = optimizers.sgd({ learningRate });
    assert.deepEqual(optimizer.getConfig().learning_rate, { ...learningRate });
    assert.deepEqual(
      optimizer.variables.map(({ name }) => name),
      ['iteration'],
    );
    step(optimizer, layer);
    step(optimizer, layer);
    assert.equal(layer.numbers()[0][0], -11);
    assert.throws(() => (optimizer.learningRate = 1), mf.StateError);
  });

  test('a function follows the steps', () => {
    const layer = weights({ w: [0] });
    const steps = [];
    const optimizer = optimizers.sgd({
      learningRate: (at) => {
        steps.push(at);
        return 10 ** at;
      },
    });
    step(optimizer, layer);
    step(optimizer, layer);
    assert.equal(layer.numbers()[0][0], -11);
    assert.equal(optimizer.learningRate, 100);
    assert.equal(optimizer.getConfig().learning_rate, 100);
    assert.deepEqual([...new Set(steps)], [0, 1, 2]);
    assert.deepEqual(
      optimizer.variables.map(({ name }) => name),
      ['iteration'],
    );
  });

  test('a function that throws changes nothing', () => {
    const layer = weights({ w: [0] });
    let result = 1;
    const optimizer = optimizers.sgd({
      learningRate: () => {
        if (typeof result === 'string') throw new RangeError(result);
        return result;
      },
    });
    result = Number.NaN;
    assert.throws(() => step(optimizer, layer), mf.ValueError);
    result = 'mine';
    assert.throws(() => step(optimizer, layer), /mine/);
    assert.equal(optimizer.iterations, 0);
    assert.equal(layer.numbers()[0][0], 0);
    result = 1;
    step(optimizer, layer);
    assert.equal(layer.numbers()[0][0], -1);
  });

  test('work inside another optimizer', () => {
    const innerOptimizer = optimizers.sgd({ learningRate: (at) => at + 1 });
    const optimizer = optimizers.lossScaleOptimizer({ innerOptimizer, initialScale: 1 });
    const layer = weights({ w: [0] });
    step(optimizer, layer);
    step(optimizer, layer);
    assert.equal(layer.numbers()[0][0], -3);
  });
});

describe('constraints', () => {
  test('are plain data for layers', () => {
    const constraint = constraints.maxNorm({ maxValue: 3 });
    assert.deepEqual(constraint, {
      module: 'keras.constraints',
      class_name: 'MaxNorm',
      config: { max_value: 3, axis: 0 },
      registered_name: null,
    });
    const dense = layers.dense({ units: 1, kernelConstraint: constraint });
    assert.deepEqual(dense.getConfig().kernel_constraint, constraint);
  });

  test('apply to the weights of the layers that have them', () => {
    const dense = layers.dense({
      units: 2,
      kernelConstraint: constraints.maxNorm({ maxValue: 1 }),
      biasConstraint: 'non_neg',
    });
    dense.build([null, 2]);
    dense.setWeights([new Float32Array([3, 0, 4, 0.5]), new Float32Array([-1, 2])]);
    const zeroGradients = [ops.zeros([2, 2]), ops.zeros([2])];
    optimizers.sgd().apply(zeroGradients, dense.trainableVariables);
    const [kernel, bias] = dense.getWeights().map((value) => [...value.data()]);
    close(kernel, [0.6, 0, 0.8, 0.5]);
    assert.deepEqual(bias, [0, 2]);
  });
});

describe('settings from a hostile file', () => {
  const assertRefuses = (config, pattern) =>
    assert.throws(
      () => {
        const optimizer = optimizers.deserialize({ class_name: 'Muon', config });
        const dense = layers.dense({ units: 2, name: `${'a'.repeat(40)}!` });
        dense.build([null, 2]);
        optimizer.build(dense.trainableVariables);
      },
      (error) => error instanceof mf.ConfigError && pattern.test(error.message),
    );

  test('regular expressions run in linear time; others are refused', () => {
    const start = cpuTime();
    for (const pattern of ['(a|a)*$', '(a+)+$', '((a*)b)*$', '^(a|aa)+$']) {
      const config = { exclude_layers: [pattern] };
      const optimizer = optimizers.deserialize({ class_name: 'Muon', config });
      const dense = layers.dense({ units: 2, name: `${'a'.repeat(40)}!` });
      dense.build([null, 2]);
      optimizer.build(dense.trainableVariables);
    }
    assert.ok(cpuTime() - start < 1000, `${cpuTime() - start} ms`);
    assertRefuses({ exclude_layers: ['((('] }, /'\(' without '\)'; use only literals/);
    assertRefuses(
      { exclude_layers: ['(a)\\1'] },
      /'\\1', which is not supported; use only literals/,
    );
    assertRefuses({ exclude_layers: ['a'.repeat(1001)] }, /longer than 1000 characters/);
  });

  test('an endless number of steps is refused', () =>
    assertRefuses({ ns_steps: 2 ** 31 - 1 }, /0 to 1000/));
});
