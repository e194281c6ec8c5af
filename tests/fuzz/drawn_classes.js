// SPDX-License-Identifier: MIT
// The classes of keras_drawn_classes.py in JavaScript: their descriptions say which layers they
// make, and in which properties they keep them.
import * as mf from '../../dist/train.js';

const { Input, Layer, Model, Sequential, layers, ops } = mf;
const kWidth = 3;

const plainLayers = {
  dense: (options) => layers.dense({ units: kWidth, activation: 'tanh', ...options }),
  LSTM: (options) => layers.lstm({ units: kWidth, returnSequences: true, ...options }),
  GRU: (options) => layers.gru({ units: kWidth, returnSequences: true, ...options }),
  SimpleRNN: (options) => layers.simpleRNN({ units: kWidth, returnSequences: true, ...options }),
  conv: (options) => layers.conv1D({ filters: kWidth, kernelSize: 2, padding: 'same', ...options }),
  'batch norm': (options) => layers.batchNormalization(options),
  norm: (options) => layers.layerNormalization({ epsilon: 0.01, ...options }),
  attention: (options) => layers.multiHeadAttention({ numHeads: 1, keyDim: kWidth, ...options }),
  dropout: (options) => layers.dropout({ rate: 0.5, ...options }),
};

const cells = {
  GRUCell: () => layers.gruCell({ units: kWidth }),
  LSTMCell: () => layers.lstmCell({ units: kWidth }),
  SimpleRNNCell: () => layers.simpleRNNCell({ units: kWidth }),
};

const cellOf = (item) => (item.kind === 'custom' ? drawn(item.description) : cells[item.kind]());

function called(layer, x) {
  const isAttention = layer.className === 'MultiHeadAttention' && !layer.isCustom;
  return isAttention ? layer.apply({ query: x, value: x }) : layer.apply(x);
}

class Chain extends Sequential {}
class Graph extends Model {}
for (const Class of [Chain, Graph]) mf.registerLayer(Class, { package: 'Fuzzgraph' });

/** Creates the layer of an item; `made` has the layers that were made before. */
export function layerOf(item, made = {}) {
  const options = item.name ? { name: item.name } : {};
  const inner = (item.of ?? []).map((number) => made[number]);
  if (item.kind === 'custom') return drawn(item.description, options);
  if (item.kind === 'rnn') {
    const list = item.cells.map(cellOf);
    const cell = list.length > 1 ? list : list[0];
    return layers.rnn({ cell, returnSequences: true, ...options });
  }
  if (item.kind === 'bidirectional') {
    return layers.bidirectional({ layer: inner[0], mergeMode: 'sum', ...options });
  }
  if (item.kind === 'time distributed') {
    return layers.timeDistributed({ layer: inner[0], ...options });
  }
  if (item.kind === 'sequential') return new (item.own ? Chain : Sequential)(inner, options);
  if (item.kind === 'functional') {
    const x = Input({ shape: [null, kWidth] });
    const outputs = inner.reduce((y, layer) => called(layer, y), x);
    return new (item.own ? Graph : Model)({ inputs: x, outputs, ...options });
  }
  return plainLayers[item.kind](options);
}

function structureOf(place, made) {
  if ('id' in place) return made[place.id];
  const list = place.list ?? place.tuple;
  if (list) return list.map((item) => structureOf(item, made));
  const entries = Object.entries(place.dict);
  return Object.fromEntries(entries.map(([key, item]) => [key, structureOf(item, made)]));
}

/** The camelCase form of an attribute, without its digits' underscore: dense_1 becomes dense1. */
const camel = (name) => name.replace(/(?<=[^_])_([a-z0-9])/g, (_, c) => c.toUpperCase());

const propertyOf = ({ camel: isCamel }, name) => (isCamel ? camel(name) : name);

function assign(layer, content) {
  for (const name of content.declared ?? []) layer[propertyOf(content, name)] = undefined;
  const made = {};
  for (const step of content.steps) {
    if ('make' in step) made[step.make] = layerOf(step.item, made);
    else if ('push' in step) layer[propertyOf(content, step.push)].push(made[step.id]);
    else layer[propertyOf(content, step.set)] = structureOf(step.to, made);
  }
}

function calledLayers(layer) {
  const content = JSON.parse(layer.description);
  return content.calls.map(([name, ...keys]) =>
    keys.reduce((value, key) => value[key], layer[propertyOf(content, name)]),
  );
}

const callOf = (layer, x) =>
  calledLayers(layer).reduce((y, inner) => ops.add(ops.multiply(y, 0.5), called(inner, y)), x);

/** Defines a class of this name on a base class. */
function classOf(name, Base, call, more = () => {}) {
  const { [name]: Class } = {
    [name]: class extends Base {
      constructor({ description, ...config }) {
        super(config);
        this.description = description;
        more(this);
        assign(this, JSON.parse(description));
      }
      getConfig() {
        return { ...super.getConfig(), description: this.description };
      }
    },
  };
  Class.prototype.call = call;
  return Class;
}

function call(x) {
  return callOf(this, x);
}

function callCell(x, { states }) {
  const [first, ...others] = calledLayers(this);
  const sum = others.reduce((y, layer) => ops.add(y, layer.apply(states[0])), first.apply(x));
  const h = ops.tanh(sum);
  return [h, [h]];
}

function buildCell() {
  for (const layer of calledLayers(this)) layer.build([null, kWidth]);
}

const bases = {
  model: ['Tagger', 'Block2D', 'Dense'],
  layer: ['Gate', 'GRUBlock', 'LSTM'],
  cell: ['Cell', 'GRUCell'],
};
const classes = new Map();
for (const [base, names] of Object.entries(bases)) {
  for (const name of names) {
    const isCell = base === 'cell';
    const Class = classOf(
      name,
      base === 'model' ? Model : Layer,
      isCell ? callCell : call,
      (made) => {
        if (isCell) made.stateSize = kWidth;
      },
    );
    if (isCell) Class.prototype.build = buildCell;
    mf.registerLayer(Class, { package: `Fuzz${base}`, name });
    classes.set(`${name} ${base}`, Class);
  }
}

function drawn(description, options = {}) {
  const Class = classes.get(`${description.class} ${description.base}`);
  return new Class({ description: JSON.stringify(description), ...options });
}

/** Creates the model of a recorded program. */
export function rootOf(root) {
  const made = Object.fromEntries(
    (root.steps ?? []).map((step) => [step.make, layerOf(step.item)]),
  );
  return layerOf(root, made);
}
