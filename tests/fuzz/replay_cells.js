// SPDX-License-Identifier: MIT
// Replays recordings of keras_cells.py: custom cells that are called, copied, cloned, saved and
// trained.
import * as mf from '../../dist/train.js';
import { camel, decode, toTensor } from '../support/recorded_cases.js';
import { ProgramCell } from './cell_classes.js';

const { Input, Model, layers } = mf;

class Difference extends Error {}

function near(got, wanted, where, isTrained) {
  const { shape, values } = decode(wanted);
  if (`${got.shape}` !== `${shape}`) {
    throw new Difference(`${where}: shape [${got.shape}], not [${shape}]`);
  }
  const [relative, absolute] = isTrained ? [2e-4, 2e-5] : [1e-5, 4e-6];
  for (const [i, value] of got.data().entries()) {
    const expected = values[i];
    if (Object.is(value, expected) || value === expected) continue;
    if (Math.abs(value - expected) <= absolute + relative * Math.abs(expected)) continue;
    throw new Difference(`${where}: [${i}] is ${value}, not ${expected}`);
  }
}

function allNear(got, wanted, where, isTrained = false) {
  if (got.length !== wanted.length) {
    throw new Difference(`${where}: ${got.length} tensors, not ${wanted.length}`);
  }
  for (const [i, tensor] of got.entries()) near(tensor, wanted[i], `${where} ${i}`, isTrained);
}

function makeLayer({ cells, config, wrapper }) {
  const own = cells.map((cell) =>
    cell.gru ? layers.gruCell({ units: cell.gru }) : new ProgramCell({ program: cell.program }),
  );
  const options = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [camel(key), value]),
  );
  const layer = layers.rnn({ cell: own.length === 1 ? own[0] : own, ...options });
  return wrapper ? layers.bidirectional({ layer, mergeMode: wrapper.merge_mode }) : layer;
}

const shapesOf = (layer) => layer.weights.map(({ name, shape }) => [name, [...shape]]);

function sameShapes(layer, wanted) {
  const [got, expected] = [shapesOf(layer), wanted].map((shapes) => JSON.stringify(shapes));
  if (got !== expected) throw new Difference(`weights ${got}, not ${expected}`);
}

/** The objects of a case, and its steps. */
class Replay {
  constructor({ description, time, width }) {
    this.time = time;
    this.width = width;
    this.description = description;
    this.isStateful = Boolean(description.config.stateful);
  }

  built(layer, { x, result }) {
    layer.apply(toTensor(x));
    if (this.isStateful) layer.resetState();
    sameShapes(layer, result);
    return layer;
  }

  make(step) {
    this.layer = this.built(makeLayer(this.description), step);
  }

  copy(step) {
    this.copied = true;
    const { layer } = this;
    this.copy_ = this.built(layer.constructor.fromConfig(layer.getConfig()), step);
  }

  on({ on }) {
    return { layer: this.layer, copy: this.copy_, model: this.graph }[on];
  }

  fill(step) {
    const on = this.on(step);
    sameShapes(on, step.result);
    on.setWeights(step.weights.map(toTensor));
  }

  call(step) {
    const { x, mask, training, states, result } = step;
    const options = { training };
    if (mask) options.mask = toTensor(mask);
    if (states) options.initialState = states.map(toTensor);
    allNear([this.on(step).apply(toTensor(x), options)].flat(), result, 'output');
  }

  model({ x, result }) {
    const { layer, time, width } = this;
    const fresh = layer.constructor.fromConfig(layer.getConfig());
    const input = Input({ shape: [time, width] });
    const [y] = [fresh.apply(input)].flat();
    this.graph = new Model({ inputs: input, outputs: layers.dense({ units: 2 }).apply(y) });
    this.graph.apply(toTensor(x));
    sameShapes(this.graph, result);
  }

  predict({ x, result }) {
    allNear([this.graph.predict(toTensor(x))].flat(), result, 'prediction', this.isTrained);
  }

  async fit({ x, y, result }) {
    this.graph.compile({ optimizer: 'sgd', loss: 'mse' });
    const options = { epochs: 2, batchSize: 2, shuffle: false };
    const { history } = await this.graph.fit(toTensor(x), toTensor(y), options);
    this.isTrained = true;
    for (const [i, loss] of result.loss.entries()) {
      if (Math.abs(history.loss[i] - loss) <= 2e-5 + 2e-4 * Math.abs(loss)) continue;
      throw new Difference(`loss ${history.loss[i]}, not ${loss}`);
    }
    allNear(this.graph.getWeights(), result.weights, 'weight after fit', true);
  }

  clone({ x, result }) {
    const copy = mf.cloneModel(this.graph);
    copy.setWeights(this.graph.getWeights());
    allNear([copy.predict(toTensor(x))].flat(), result, 'prediction of the clone', true);
  }

  async file({ x, file, result }) {
    const own = await mf.loadModel(await this.graph.save());
    for (const model of [await mf.loadModel(Buffer.from(file, 'base64')), own]) {
      allNear([model.predict(toTensor(x))].flat(), result, 'prediction of the file', true);
      model.dispose();
    }
  }

  dispose() {
    for (const each of [this.graph, this.copy_, this.layer]) each?.dispose();
  }
}

/** Returns null if the package agrees with Keras in every step of a case, else the difference. */
export async function checkCells(recorded) {
  const replay = new Replay(recorded);
  try {
    for (const [number, step] of recorded.steps.entries()) {
      try {
        await replay[step.do](step);
      } catch (error) {
        if (/instance is dead/.test(error.message)) await mf.restart();
        const text = error instanceof Difference ? error.message : (error.stack ?? `${error}`);
        return `step ${number} ${step.do}: ${text}`;
      }
    }
    return null;
  } finally {
    replay.dispose();
  }
}
