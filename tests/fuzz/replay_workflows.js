// SPDX-License-Identifier: MIT
// Replays recordings of keras_workflows.py step by step. A program ends at its first difference in
// numbers; differences of counts, logs and events are noted, and it goes on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as mf from '../../dist/train.js';
import { camel } from '../support/recorded_cases.js';
import { reasonForWorkflow } from './known_differences.js';
import { callbackOf } from './workflow_callbacks.js';
import * as compare from './workflow_compare.js';
import { dataOf, isDescription, shapesOf, startValues } from './workflow_data.js';
import { classes } from './workflow_models.js';

const { Difference } = compare;
const { ops } = mf;
const factories = Object.fromEntries(
  Object.entries(mf.layers).map(([name, factory]) => [name.toLowerCase(), factory]),
);

/** Returns a configuration with the names of its settings as the package spells them. */
const spelled = (config) =>
  Object.fromEntries(Object.entries(config).map(([key, value]) => [camel(key), value]));

const countsOf = ({ trainable, trainableWeights, nonTrainableWeights }) => [
  Number(trainable),
  trainableWeights.length,
  nonTrainableWeights.length,
];

/** Returns the layers of a model without those that put a mask back, which Keras does not have. */
const layersOf = (model) => model.layers.filter(({ name }) => !/^with_mask(_\d+)?$/.test(name));

/** The objects of a program, and steps that make, change and read them. */
class Objects {
  objects = {};
  counts = {};
  differences = [];
  isTrained = false;

  value(described) {
    if (typeof described === 'string' && described.startsWith('$')) {
      return this.objects[described.slice(1)];
    }
    if (described === null || typeof described !== 'object') return described;
    if (isDescription(described)) return dataOf(described);
    if (Array.isArray(described)) return described.map((item) => this.value(item));
    const entries = Object.entries(described);
    return Object.fromEntries(entries.map(([key, item]) => [key, this.value(item)]));
  }

  options({ options = {} }) {
    return spelled(this.value(options));
  }

  /** Notes a difference instead of ending the program. */
  note(check) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Difference)) throw error;
      this.differences.push(error.message);
    }
  }

  structure(got, wanted, where, shapeOnly) {
    compare.structure(got, wanted, where, { isTrained: this.isTrained, shapeOnly });
  }

  tensors(got, wanted, where) {
    compare.tensors(got, wanted, where, this.isTrained);
  }

  layer({ id, class: name, config }) {
    const values = this.value(config);
    if (values.activation === null) delete values.activation;
    const make = factories[name.toLowerCase()];
    const Class = classes[name];
    this.objects[id] = Class ? new Class(values) : make(spelled(values));
  }

  input({ id, shape, dtype, name, batch }) {
    const named = name ? { name } : {};
    this.objects[id] = mf.Input({ shape, dtype, ...named, ...(batch ? { batchSize: batch } : {}) });
  }

  tensor({ id, x }) {
    this.objects[id] = dataOf(x);
  }

  op({ id, name, x, result }) {
    const [first, second] = this.value(x);
    const y = name === 'add' ? ops.add(first, second) : ops.multiply(first, 0.5);
    this.objects[id] = y;
    this.structure(y, result, 'result');
  }

  with_mask({ id, x, mask, result }) {
    this.objects[id] = this.value(x).withMask(this.value(mask));
    this.structure(this.objects[id], result, 'result');
  }

  mask_of({ id, x }) {
    this.objects[id] = this.value(x).mask;
  }

  call(step, on) {
    const { id, x, result, shape_only: shapeOnly } = step;
    const y = on.apply(this.value(x), this.options(step));
    if (Array.isArray(id)) for (const [i, name] of id.entries()) this.objects[name] = y[i];
    else this.objects[id] = y;
    this.structure(y, result, 'output', shapeOnly);
  }

  model({ id, class: name, inputs, outputs, layers, config = {} }) {
    const Class = classes[name];
    const values = this.value(config);
    if (inputs !== undefined) {
      const ends = { inputs: this.value(inputs), outputs: this.value(outputs) };
      this.objects[id] = new Class({ ...ends, ...values });
    } else if ('where' in values) {
      this.objects[id] = new Class({ parts: this.value(layers), ...values });
    } else {
      this.objects[id] = new Class(this.value(layers));
    }
  }

  get({ id, index, path = [], result }, on) {
    let inner = index === undefined ? on : layersOf(on).at(index);
    for (const key of path) inner = inner[typeof key === 'string' ? camel(key) : key];
    if (!inner) throw new Difference(`there is no ${path.join('.')} in a ${on.className}`);
    this.objects[id] = inner;
    compare.same(inner.className, result, 'class');
  }

  read({ name, result }, on) {
    const value = on[camel(name)];
    const current = value instanceof mf.Variable ? value.value : value;
    if (result?.data) this.structure(current, result, name);
    else compare.same(current, result, name);
  }

  set({ value }, on) {
    on.trainable = value;
  }

  build({ shape, result }, on) {
    on.build(shape);
    compare.same(shapesOf(on), result, 'weights');
  }

  fill({ seed, result }, on) {
    compare.same(shapesOf(on), result, 'weights');
    on.setWeights(startValues(on, seed));
  }

  weights({ result }, on) {
    this.tensors(on.getWeights(), result, 'weight');
  }

  count({ result }, on) {
    compare.same(on.countParams(), result, 'parameters');
  }

  shape({ shape, result, is_free: isFree }, on) {
    if (!isFree) this.note(() => compare.same(on.computeOutputShape(shape), result, 'shape'));
  }

  add({ x }, on) {
    on.add(this.value(x));
  }

  pop(_, on) {
    on.pop();
  }

  clone({ id }, on) {
    this.objects[id] = mf.cloneModel(on);
  }

  from_config({ id }, on) {
    this.objects[id] = on.constructor.fromConfig(on.getConfig());
  }

  cut({ id, index }, on) {
    const { output } = layersOf(on).at(index);
    this.objects[id] = new mf.Model({ inputs: on.inputs, outputs: output });
  }

  reset_state(_, on) {
    on.resetState();
  }

  states({ result }, on) {
    const { states } = on;
    if (!states) return this.differences.push('states are undefined');
    this.tensors(
      states.map((state) => state.value ?? state),
      result,
      'state',
    );
  }

  losses({ result }, on) {
    this.note(() => this.tensors(on.losses, result, 'losses'));
  }
}

/** Runs and compares steps: those of Objects, of training and of files. */
class Replay extends Objects {
  optimizer({ id, config }) {
    this.objects[id] = mf.optimizers.deserialize(config);
  }

  compile({ config }, on) {
    const { optimizer } = config;
    const own = typeof optimizer === 'string' ? { optimizer: this.value(optimizer) } : {};
    on.compile(spelled({ ...config, ...own }));
  }

  callbacks({ callbacks = [] }, on, events) {
    return callbacks.map((config) => callbackOf(config, on, this.objects, events));
  }

  after(model, { weights, optimizer }) {
    this.tensors(model.getWeights(), weights, 'weights after');
    if (!optimizer) return;
    const [iterations, rate, count] = optimizer;
    const own = model.optimizer;
    compare.same(own.iterations, iterations, 'iterations');
    compare.near([own.learningRate], [rate], 'learning rate', this.isTrained);
    compare.same(own.variables.length, count, 'variables of the optimizer');
  }

  logs(got, wanted, where) {
    this.note(() => compare.logs(got, wanted, where, this.isTrained));
  }

  async fit(step, on) {
    this.isTrained = true;
    const events = [];
    const callbacks = this.callbacks(step, on, events);
    const options = { shuffle: false, ...this.options(step), callbacks };
    const { history, epoch } = await on.fit(this.value(step.x), this.value(step.y), options);
    const { result } = step;
    if (!result) return;
    this.note(() => compare.same(epoch, result.epochs, 'epochs'));
    this.note(() => compare.events(events, result.events));
    this.after(on, result);
    this.logs(history, result.logs, 'history');
  }

  async evaluate(step, on) {
    const events = [];
    const callbacks = this.callbacks(step, on, events);
    const options = { ...this.options(step), ...(callbacks.length ? { callbacks } : {}) };
    const logs = await on.evaluate(this.value(step.x), this.value(step.y), options);
    if (!step.result) return;
    this.note(() => compare.events(events, step.result.events));
    this.logs(logs, step.result.logs, 'logs of evaluate');
  }

  async train_on_batch(step, on) {
    this.isTrained = true;
    const [x, y] = this.value([step.x, step.y]);
    const logs = await on.trainOnBatch(x, y, this.options(step));
    if (!step.result) return;
    this.after(on, step.result);
    this.logs(logs, step.result.logs, 'logs');
  }

  async test_on_batch(step, on) {
    const [x, y] = this.value([step.x, step.y]);
    const logs = await on.testOnBatch(x, y, this.options(step));
    if (step.result) this.logs(logs, step.result.logs, 'logs of testOnBatch');
  }

  async predict(step, on) {
    const events = [];
    const callbacks = this.callbacks(step, on, events);
    const options = { ...this.options(step), ...(callbacks.length ? { callbacks } : {}) };
    const outputs = await on.predict(this.value(step.x), options);
    if (!step.result) return;
    this.note(() => compare.events(events, step.result.events));
    this.structure(outputs, step.result.outputs, 'prediction');
  }

  async predict_on_batch({ x, result }, on) {
    this.structure(await on.predictOnBatch(this.value(x)), result?.outputs, 'prediction');
  }

  metrics({ result }, on) {
    const names = on.metrics.map(({ name }) => name);
    this.note(() => compare.same(names, result.names, 'metrics'));
    this.logs(on.getMetricsResult(), result.logs, 'getMetricsResult');
  }

  reset_metrics(_, on) {
    on.resetMetrics();
  }

  async file({ id, file }, on) {
    // Without a file, Keras failed to save; the package may fail as well.
    if (!file) return void (await on.save());
    const loaded = await mf.loadModel(Buffer.from(file, 'base64'));
    this.objects[id] = loaded;
    const weights = on.getWeights();
    const own = loaded.getWeights();
    compare.same(own.length, weights.length, 'weights of the loaded file');
    for (const [i, weight] of weights.entries()) {
      const where = `weight ${i} of the loaded file`;
      compare.near(own[i].data(), weight.data(), where, this.isTrained);
    }
  }

  async weights_file({ to, file, result, state = [] }, on) {
    const target = this.objects[to];
    await target.loadWeights(Buffer.from(file, 'base64'));
    this.tensors(target.getWeights(), result, 'weight');
    const optimizer = state.length > 0 ? target.optimizer.getWeights() : [];
    this.tensors(optimizer, state, 'variable of the optimizer');
    this.write?.('.weights.h5', await on.saveWeights());
  }

  async save({ x, y, result }, on) {
    const bytes = await on.save();
    const copied = await mf.loadModel(bytes);
    this.write?.('.keras', bytes);
    if (!result) return;
    const data = this.value(x);
    this.structure(await on.predict(data), result.outputs, 'prediction');
    this.structure(await copied.predict(data), result.outputs, 'prediction of the saved model');
    this.note(() => compare.same(countsOf(copied), result.counts, 'counts of the saved model'));
    if (!y) return;
    this.isTrained = true;
    const options = { epochs: 1, batchSize: 3, shuffle: false };
    const { history } = await copied.fit(this.value(x), this.value(y), options);
    this.after(copied, result.next);
    this.logs(history, result.next.logs, 'history of the saved model');
  }

  /** Compares the counts of weights of all objects with those recorded so far. */
  compareCounts(changed = {}) {
    Object.assign(this.counts, changed);
    for (const [name, counts] of Object.entries(this.counts)) {
      const holder = this.objects[name];
      compare.same(countsOf(holder), counts, `counts of ${holder.className}`);
    }
  }
}

const shown = (error) =>
  error instanceof mf.MaskflowError
    ? `threw ${error.name}: ${error.message}`
    : `untyped ${error.stack}`;

/** Runs a step; returns why the program ends there, or null. */
async function runStep(replay, step) {
  let thrown = null;
  try {
    await replay[step.do](step, replay.objects[step.on]);
  } catch (error) {
    if (error instanceof Difference) return error.message;
    if (/instance is dead/.test(error.message)) {
      await mf.restart();
      return `the instance died: ${error.message}`;
    }
    thrown = error;
  }
  const isTyped = thrown instanceof mf.MaskflowError;
  if (step.error) {
    if (!thrown) return `accepted; Keras: ${step.error}`;
    return isTyped ? null : shown(thrown);
  }
  return thrown && shown(thrown);
}

/** Replays a program; returns all differences, each with the number and the kind of its step. */
export async function replayWorkflow({ name, steps }, onFile) {
  const replay = new Replay();
  const all = [];
  let areCounted = true;
  for (const [number, step] of steps.entries()) {
    if (onFile) replay.write = (ending, bytes) => onFile({ name, number, ending, bytes });
    const end = await runStep(replay, step);
    if (end === null && areCounted && !step.error) {
      const known = replay.differences.length;
      replay.note(() => replay.compareCounts(step.counts));
      areCounted = replay.differences.length === known;
    }
    if (end !== null) replay.differences.push(end);
    all.push(...replay.differences.map((text) => `step ${number} ${step.do}: ${text}`));
    replay.differences = [];
    if (end !== null || step.error) break;
  }
  return all;
}

/**
 * Returns null if the package agrees with Keras in every step of a program, else the first
 * difference without a known reason, or the first one.
 */
export async function checkWorkflow(recorded) {
  const differences = await replayWorkflow(recorded);
  const unknown = differences.find((text) => !reasonForWorkflow(text, recorded));
  return unknown ?? differences[0] ?? null;
}

/** Replays programs and writes the files that the package saves in them into a folder. */
export async function saveWorkflows(folder, programs) {
  const files = [];
  for (const recorded of programs) {
    await replayWorkflow(recorded, ({ name, number, ending, bytes }) => {
      const file = `${files.length}${ending}`;
      writeFileSync(join(folder, file), bytes);
      files.push({ file, name, steps: recorded.steps.slice(0, number + 1) });
    });
  }
  return files;
}
