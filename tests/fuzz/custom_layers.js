// SPDX-License-Identifier: MIT
// The layers, cells and functions of keras_custom_layers.py in JavaScript.
import * as mf from '../../dist/train.js';

const { Layer, layers, ops } = mf;

class Scale extends Layer {
  constructor({ masking = true, ...config } = {}) {
    super(config);
    this.masking = masking;
    this.supportsMasking = masking;
  }
  build(shape) {
    this.factor = this.addWeight({ name: 'factor', shape: [shape.at(-1)], initializer: 'ones' });
  }
  call(x) {
    return ops.multiply(x, this.factor);
  }
  getConfig() {
    return { ...super.getConfig(), masking: this.masking };
  }
}

class MaskedMean extends Layer {
  call(x, { mask }) {
    if (mask === null || mask === undefined) return ops.mean(x, { axis: 1 });
    const kept = ops.expandDims(ops.cast(mask, x.dtype), -1);
    const sum = ops.sum(ops.multiply(x, kept), { axis: 1 });
    return ops.divide(sum, ops.maximum(ops.sum(kept, { axis: 1 }), 1));
  }
  computeMask() {
    return null;
  }
}

class SplitTime extends Layer {
  call(x) {
    return ops.split(x, [1], { axis: 1 });
  }
  computeMask(_, mask) {
    return mask === null ? [null, null] : ops.split(mask, [1], { axis: 1 });
  }
}

class Gate extends Layer {
  constructor({ units, supports = false, ...config } = {}) {
    super(config);
    this.units = units;
    this.supports = supports;
    this.supportsMasking = supports;
    this.value = layers.dense({ units });
    this.gate = layers.dense({ units, activation: 'sigmoid' });
  }
  build(shape) {
    this.value.build(shape);
    this.gate.build(shape);
  }
  call(x, { mask }) {
    const y = ops.multiply(this.value.apply(x), this.gate.apply(x));
    return mask ? ops.where(ops.expandDims(ops.cast(mask, 'bool'), -1), y, 0) : y;
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units, supports: this.supports };
  }
}

class Encoder extends Layer {
  constructor({ units, by_hand = false, byHand = by_hand, ...config } = {}) {
    super(config);
    this.units = units;
    this.byHand = byHand;
    this.rnn = layers.gru({ units, returnSequences: true });
    this.norm = layers.layerNormalization({ epsilon: 1e-2 });
    this.supportsMasking = true;
  }
  build(shape) {
    this.rnn.build(shape);
    this.norm.build([...shape.slice(0, -1), this.units]);
  }
  call(x, { mask }) {
    return this.norm.apply(this.byHand ? this.rnn.apply(x, { mask }) : this.rnn.apply(x));
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units, by_hand: this.byHand };
  }
}

class Branches extends Layer {
  call({ a, b }) {
    return { sum: ops.add(a, b), gap: ops.subtract(a, b) };
  }
}

class MinimalCell extends Layer {
  constructor({ units, ...config } = {}) {
    super(config);
    this.units = units;
    this.stateSize = units;
    this.outputSize = units;
  }
  build(shape) {
    const { units } = this;
    const initializer = 'uniform';
    this.kernel = this.addWeight({ name: 'kernel', shape: [shape.at(-1), units], initializer });
    this.recurrent = this.addWeight({ name: 'recurrent', shape: [units, units], initializer });
  }
  call(x, { states: [state] }) {
    const sum = ops.add(ops.matmul(x, this.kernel), ops.matmul(state, this.recurrent));
    const h = ops.tanh(sum);
    return [h, [h]];
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units };
  }
}

class CountCell extends Layer {
  constructor({ units, ...config } = {}) {
    super(config);
    this.units = units;
    this.stateSize = [units, 1];
    this.outputSize = units + 1;
  }
  build(shape) {
    const size = [shape.at(-1), this.units];
    this.kernel = this.addWeight({ name: 'kernel', shape: size, initializer: 'uniform' });
  }
  call(x, { states }) {
    const total = ops.add(ops.multiply(states[0], 0.5), ops.matmul(x, this.kernel));
    const count = ops.add(states[1], 1);
    const y = ops.concatenate([ops.divide(total, count), count], { axis: -1 });
    return [y, [total, count]];
  }
  getConfig() {
    return { ...super.getConfig(), units: this.units };
  }
}

const classes = { Scale, MaskedMean, SplitTime, Gate, Encoder, Branches, MinimalCell, CountCell };
for (const one of Object.values(classes)) mf.registerLayer(one, { package: 'Fuzz' });

const halfPlus = (x) => ops.add(ops.multiply(x, 0.5), 1);
const masked = (x, { mask } = {}) =>
  mask ? ops.multiply(x, ops.expandDims(ops.cast(mask, x.dtype), -1)) : x;
const myActivation = (x) => ops.where(ops.greater(x, 0), x, ops.multiply(ops.tanh(x), 0.1));

/**
 * Returns a layer that replaces the Lambda with this name, and that the caller disposes of;
 * undefined if there is none.
 */
function lambdaOf(name) {
  const [, kind] = name.split('_');
  if (kind === 'keep') return layers.lambda({ function: halfPlus, mask: (_, mask) => mask, name });
  return kind === 'half' ? halfPlus : masked;
}

/** Returns `customObjects` for a file of keras_programs.py. */
export function customObjects() {
  const objects = { my_activation: myActivation, 'Fuzz>my_activation': myActivation };
  // A Lambda may also be in a nested model, whose layers cannot be listed from outside.
  for (let i = 0; i < 40; i++) {
    for (const kind of ['half', 'masked', 'keep']) {
      const name = `lambda_${kind}_${i}`;
      objects[name] = lambdaOf(name);
    }
  }
  return objects;
}
