// SPDX-License-Identifier: MIT
// The layers and cells of keras_workflow_layers.py, under the same names.
import * as mf from '../../dist/train.js';

const { deserializeLayer, Layer, layers, ops, Sequential, serializeLayer } = mf;

const dense = (units, activation) => layers.dense({ units, ...(activation ? { activation } : {}) });
const normalization = () => layers.batchNormalization({ epsilon: 0.01, momentum: 0.6 });

/** A layer whose own settings, named in `own`, are in its config; `prepare` receives them. */
class Configured extends Layer {
  static own = [];
  constructor({ masking = false, ...config } = {}) {
    const { own } = new.target;
    const entries = Object.entries(config);
    super(Object.fromEntries(entries.filter(([key]) => !own.includes(key))));
    this.settings = Object.fromEntries(entries.filter(([key]) => own.includes(key)));
    this.supportsMasking = masking;
    this.masking = masking;
    this.prepare(this.settings);
  }
  prepare() {}
  getConfig() {
    return { ...super.getConfig(), masking: this.masking, ...this.settings };
  }
}

class Scale extends Configured {
  build(shape) {
    this.factor = this.addWeight({ name: 'factor', shape: [shape.at(-1)], initializer: 'ones' });
  }
  call(x) {
    return ops.multiply(x, this.factor);
  }
}

class Block extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.first = dense(units, 'tanh');
    this.second = dense(units);
  }
  call(x) {
    return this.second.apply(this.first.apply(x));
  }
}

const applyAll = (parts, x) => parts.reduce((y, part) => part.apply(y), x);

class ListBlock extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.parts = [0, 1, 2].map(() => dense(units, 'tanh'));
  }
  call(x) {
    return applyAll(this.parts, x);
  }
}

class DictBlock extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.parts = { b: dense(units), a: dense(units, 'tanh') };
  }
  call(x) {
    return ops.add(this.parts.a.apply(x), this.parts.b.apply(x));
  }
}

class Tower extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.floors = { up: [dense(units, 'tanh'), dense(units)], down: [normalization()] };
  }
  call(x) {
    return applyAll([...this.floors.up, ...this.floors.down], x);
  }
}

class NormBlock extends Configured {
  static own = ['units', 'explicit'];
  prepare({ units, explicit }) {
    this.dense = dense(units);
    this.norm = normalization();
    this.explicit = explicit;
  }
  call(x, { training }) {
    const y = this.dense.apply(x);
    return this.explicit ? this.norm.apply(y, { training }) : this.norm.apply(y);
  }
}

class Mixed extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.dense = dense(units);
  }
  build(shape) {
    const initializer = 'ones';
    this.k = this.addWeight({ name: 'k', shape: [shape.at(-1)], initializer });
    const { units } = this.settings;
    this.c = this.addWeight({ name: 'c', shape: [units], initializer, trainable: false });
  }
  call(x) {
    return ops.multiply(this.dense.apply(ops.multiply(x, this.k)), this.c);
  }
}

class LateParts extends Configured {
  static own = ['units'];
  build(shape) {
    this.dense = dense(this.settings.units);
    this.dense.build(shape);
  }
  call(x) {
    return this.dense.apply(x);
  }
}

class HalfFrozen extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.kept = dense(units);
    this.dense = dense(units);
    this.kept.trainable = false;
  }
  call(x) {
    return this.dense.apply(this.kept.apply(x));
  }
}

class InTraining extends Configured {
  call(x, { training }) {
    return ops.multiply(x, training ? 1.5 : 1);
  }
}

class AddsLoss extends Configured {
  static own = ['rate'];
  call(x) {
    this.addLoss(ops.multiply(ops.mean(ops.square(x)), this.settings.rate));
    return ops.multiply(x, 1);
  }
}

class Counter extends Configured {
  build() {
    this.n = this.addWeight({ name: 'n', shape: [1], initializer: 'zeros', trainable: false });
  }
  call(x, { training }) {
    if (training) this.n.assign(ops.add(this.n, 1));
    return ops.multiply(x, 1);
  }
}

class KnownShape extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.dense = dense(units);
  }
  call(x) {
    return this.dense.apply(x);
  }
  computeOutputShape(shape) {
    return [...shape.slice(0, -1), this.settings.units];
  }
}

class Twice extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.first = dense(units);
    this.a = dense(units, 'tanh');
    this.b = this.a;
  }
  call(x) {
    return this.b.apply(this.a.apply(this.first.apply(x)));
  }
}

class MaskedMean extends Configured {
  call(x, { mask }) {
    if (!mask) return ops.mean(x, { axis: 1 });
    const kept = ops.expandDims(ops.cast(mask, x.dtype), -1);
    const sum = ops.sum(ops.multiply(x, kept), { axis: 1 });
    return ops.divide(sum, ops.maximum(ops.sum(kept, { axis: 1 }), 1));
  }
  computeMask() {
    return null;
  }
}

class Transformer extends Configured {
  build(shape) {
    this.attention = layers.multiHeadAttention({ numHeads: 2, keyDim: 2 });
    this.norm = layers.layerNormalization({ epsilon: 0.01 });
    this.feed = new Sequential([dense(3, 'relu'), dense(shape.at(-1))]);
    this.drop = layers.dropout({ rate: 0 });
    this.attention.build([shape, shape]);
    this.norm.build(shape);
    this.feed.build(shape);
  }
  call(x) {
    const scores = { returnAttentionScores: true };
    const [y] = this.attention.apply({ query: x, value: x }, scores);
    const z = this.norm.apply(ops.add(x, this.drop.apply(y)));
    return ops.add(z, this.feed.apply(z));
  }
}

class Inner extends Configured {
  static own = ['units', 'by_hand'];
  prepare({ units, by_hand }) {
    this.rnn = layers.gru({ units, returnSequences: true });
    this.byHand = by_hand;
  }
  call(x, { mask }) {
    return this.byHand ? this.rnn.apply(x, { mask }) : this.rnn.apply(x);
  }
}

class Positions extends Configured {
  static own = ['vocabulary', 'length', 'size'];
  prepare({ vocabulary, length, size }) {
    this.tokens = layers.embedding({ inputDim: vocabulary, outputDim: size });
    this.places = layers.embedding({ inputDim: length, outputDim: size });
  }
  call(ids) {
    const positions = ops.arange(ids.shape[1], { dtype: 'int32' });
    return ops.add(this.tokens.apply(ids), this.places.apply(positions));
  }
  computeMask(ids) {
    return ops.notEqual(ids, 0);
  }
}

class Wrapper extends Layer {
  constructor({ layer, masking = true, ...config }) {
    super(config);
    this.layer = layer instanceof Layer ? layer : deserializeLayer(layer);
    this.masking = masking;
    this.supportsMasking = masking;
  }
  call(x) {
    return this.layer.apply(x);
  }
  getConfig() {
    const { masking } = this;
    return { ...super.getConfig(), layer: serializeLayer(this.layer), masking };
  }
}

class PlainCell extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.stateSize = units;
  }
  build(shape) {
    const size = this.stateSize;
    this.k = this.addWeight({ name: 'k', shape: [shape.at(-1), size] });
    this.r = this.addWeight({ name: 'r', shape: [size, size] });
  }
  call(x, { states }) {
    const h = ops.tanh(ops.add(ops.matmul(x, this.k), ops.matmul(states[0], this.r)));
    return [h, [h]];
  }
}

class StartCell extends PlainCell {
  getInitialState(batchSize) {
    return [ops.full([batchSize, this.stateSize], 0.5)];
  }
}

class LayerCell extends Configured {
  static own = ['units'];
  prepare({ units }) {
    this.stateSize = units;
    this.dense = dense(units, 'tanh');
  }
  build(shape) {
    this.dense.build([shape[0], shape.at(-1) + this.stateSize]);
  }
  call(x, { states }) {
    const h = this.dense.apply(ops.concatenate([x, states[0]], { axis: -1 }));
    return [h, [h]];
  }
}

class StartLayerCell extends LayerCell {
  getInitialState(batchSize) {
    return [ops.full([batchSize, this.stateSize], -0.25)];
  }
}

/** The custom layers of workflows by name. */
export const customLayers = {
  Scale,
  Block,
  ListBlock,
  DictBlock,
  Tower,
  NormBlock,
  Mixed,
  LateParts,
  HalfFrozen,
  InTraining,
  AddsLoss,
  Counter,
  KnownShape,
  Twice,
  MaskedMean,
  Transformer,
  Inner,
  Positions,
  Wrapper,
  PlainCell,
  StartCell,
  LayerCell,
  StartLayerCell,
};
