// SPDX-License-Identifier: MIT
// Recognises Keras's layers inside a custom layer by their names and by the shapes of their
// weights: a file has no config of them.
import { pythonName } from '../member_names.js';
import { type Code, code, type Hole, joined } from './numbers.js';
import { inComment, literal } from './safe_text.js';
import type { Group, StoredArray } from './layer_groups.js';

/** Code that creates a layer of a group. */
export interface Sublayer {
  readonly create: Code;
  /** Argument of its `build`; null for layers without weights. */
  readonly build: Code | null;
}

/** Writes a class for a group that is not a layer of Keras, and returns code that creates it. */
export type OwnClass = (group: Group) => Sublayer;

const size = (value: number | undefined): Hole => ({ size: value ?? 0 });
const inputSize = (value: number | undefined): Hole => ({ size: value ?? 0, ofInput: true });

/** The class in an automatic name: `dense_3` → dense. */
const baseOf = ({ name, key }: Group): string =>
  (name ?? key).replace(/_\d+$/, '').replace(/^(forward|backward)_/, '');

const shapesOf = ({ arrays }: Group): readonly (readonly number[])[] =>
  arrays.map(({ shape }) => shape);

const isVector = (shape: readonly number[] | undefined, length: number | undefined): boolean =>
  shape?.length === 1 && shape[0] === length;

type Matcher = (group: Group, own: OwnClass) => Sublayer | null;

const features = (value: number | undefined): Code => code`[null, null, ${inputSize(value)}]`;

const dense: Matcher = (group) => {
  const [kernel, bias, ...others] = shapesOf(group);
  if (kernel?.length !== 2 || others.length > 0 || group.children.some(hasWeights)) return null;
  if (bias && !isVector(bias, kernel[1])) return null;
  const noBias = bias ? '' : ', useBias: false';
  return {
    create: code`layers.dense({ units: ${size(kernel[1])}${noBias} })`,
    build: features(kernel[0]),
  };
};

const embedding: Matcher = (group) => {
  const [table, ...others] = shapesOf(group);
  const isTable =
    baseOf(group) === 'embedding' ||
    group.arrays[0]?.name === 'embeddings' ||
    (group.arrays[0]?.name === undefined && /emb/i.test(`${group.key} ${group.name ?? ''}`));
  if (table?.length !== 2 || others.length > 0 || !isTable) return null;
  return {
    create: code`layers.embedding({ inputDim: ${size(table[0])}, outputDim: ${size(table[1])} })`,
    build: code`[null, null]`,
  };
};

const normalization: Matcher = (group) => {
  const shapes = shapesOf(group);
  const width = shapes[0]?.[0];
  if (shapes.length === 0 || !shapes.every((shape) => isVector(shape, width))) return null;
  if (group.children.some(hasWeights)) return null;
  const create =
    shapes.length === 4
      ? 'layers.batchNormalization()'
      : baseOf(group) === 'rms_normalization' && shapes.length === 1
        ? 'layers.rmsNormalization()'
        : shapes.length === 2
          ? 'layers.layerNormalization()'
          : null;
  return create === null ? null : { create: [create], build: features(width) };
};

const conv1D: Matcher = (group) => {
  const [kernel, bias, ...others] = shapesOf(group);
  if (kernel?.length !== 3 || others.length > 0 || !baseOf(group).startsWith('conv')) return null;
  if (bias && !isVector(bias, kernel[2])) return null;
  const noBias = bias ? '' : ', useBias: false';
  return {
    create: code`layers.conv1D({ filters: ${size(kernel[2])}, kernelSize: ${size(kernel[0])}${noBias} })`,
    build: features(kernel[1]),
  };
};

/** Gates of a recurrent layer by class. */
const kGates: readonly (readonly [string, number])[] = [
  ['lstm', 4],
  ['gru', 3],
  ['simpleRNN', 1],
];

/** Arrays of the group or of the only group inside it, as `lstm/lstm_cell` has them. */
function cellArrays(group: Group): readonly StoredArray[] {
  const inner = group.children.filter(hasWeights);
  const [cell] = inner;
  const isCell = inner.length === 1 && cell && (cell.key === 'cell' || cell.key.includes('_cell'));
  if (group.arrays.length === 0 && isCell) return cell.arrays;
  // Keras 3 stores weights in the cell, Keras 2 also in the layer.
  return inner.length === 0 && group.arrays[0]?.name !== undefined ? group.arrays : [];
}

const recurrent: Matcher = (group) => {
  const [kernel, state, bias, ...others] = cellArrays(group).map(({ shape }) => shape);
  if (kernel?.length !== 2 || state?.length !== 2 || others.length > 0) return null;
  const [units = 0, columns = 0] = state;
  const gates = kGates.find(([, count]) => columns === count * units && kernel[1] === columns);
  if (!gates || units === 0) return null;
  const isCustom = gates[0] === 'simpleRNN' && !/rnn/.test(baseOf(group));
  if (isCustom || (bias && bias.at(-1) !== columns)) return null;
  const noBias = bias ? '' : ', useBias: false';
  const before = gates[0] === 'gru' && bias?.length === 1 ? ', resetAfter: false' : '';
  return {
    create: code`layers.${gates[0]}({ units: ${size(units)}${noBias}${before} })`,
    build: features(kernel[0]),
  };
};

const bidirectional: Matcher = (group, own) => {
  const forward = group.children.find(({ key }) => key.startsWith('forward_'));
  const backward = group.children.find(({ key }) => key.startsWith('backward_'));
  const isWrapper = group.arrays.length === 0 && group.children.filter(hasWeights).length === 2;
  const inner = isWrapper && forward && backward && recurrent(forward, own);
  if (!inner) return null;
  return { create: code`layers.bidirectional({ layer: ${inner.create} })`, build: inner.build };
};

const multiHeadAttention: Matcher = (group) => {
  const part = (...names: string[]): readonly (readonly number[])[] =>
    group.children.filter(({ key }) => names.includes(key)).flatMap(shapesOf);
  const [query, bias] = part('query_dense', '_query_dense', 'query');
  const [key] = part('key_dense', '_key_dense', 'key');
  const [value] = part('value_dense', '_value_dense', 'value');
  const [output] = part('output_dense', '_output_dense', 'attention_output');
  if (group.arrays.length > 0 || group.children.filter(hasWeights).length !== 4) return null;
  if (query?.length !== 3 || key?.length !== 3 || value?.length !== 3 || output?.length !== 3) {
    return null;
  }
  const valueDim = value[2] === query[2] ? [] : code`, valueDim: ${size(value[2])}`;
  const outputShape = output[2] === query[0] ? [] : code`, outputShape: ${size(output[2])}`;
  const noBias = bias ? '' : ', useBias: false';
  const shapes = [query, value, key].map((kernel) => features(kernel[0]));
  return {
    create: code`layers.multiHeadAttention({ numHeads: ${size(query[1])}, keyDim: ${size(query[2])}${valueDim}${outputShape}${noBias} })`,
    build: code`[${joined(shapes, ', ')}]`,
  };
};

const sequential: Matcher = (group, own) => {
  const list = group.children.find(({ key }) => key === 'layers');
  const members = list ? list.children : baseOf(group) === 'sequential' ? group.children : [];
  const used = members.filter((member) => hasWeights(member) || plain(member, own));
  if (used.length === 0 || group.arrays.length > 0) return null;
  const parts = inNumericOrder(used).map((member) => sublayerOf(member, own));
  const first = parts.find(({ build }) => build !== null);
  return {
    create: code`new Sequential([${joined(
      parts.map(({ create }) => create),
      ', ',
    )}])`,
    build: first?.build ?? null,
  };
};

/** Layers that have no weights and need no settings. */
const kPlain = new Map(
  `
    add subtract multiply average maximum minimum concatenate activation softmax relu:reLU
    leaky_re_lu:leakyReLU re_lu:reLU elu flatten identity masking global_average_pooling1d:globalAveragePooling1D
    global_max_pooling1d:globalMaxPooling1D max_pooling1d:maxPooling1D average_pooling1d:averagePooling1D
    attention additive_attention:additiveAttention
  `
    .trim()
    .split(/\s+/)
    .map((name) => name.split(':') as [string, string?])
    .map(([name, factory = name]) => [name, factory]),
);

const kDropout: { readonly [name: string]: string } = {
  dropout: 'dropout',
  spatial_dropout1d: 'spatialDropout1D',
};

const plain: Matcher = (group) => {
  if (hasWeights(group)) return null;
  const base = baseOf(group);
  const dropout = Object.hasOwn(kDropout, base) ? kDropout[base] : undefined;
  if (dropout) return { create: code`layers.${dropout}({ rate: 0 })`, build: null };
  const factory = kPlain.get(base);
  if (factory === undefined) return null;
  const settings = factory === 'activation' ? "{ activation: 'linear' }" : '';
  return { create: [`layers.${factory}(${settings})`], build: null };
};

const matchers: readonly Matcher[] = [
  plain,
  multiHeadAttention,
  bidirectional,
  recurrent,
  embedding,
  dense,
  conv1D,
  normalization,
  sequential,
];

/** Returns whether a group has weights at any depth. */
export const hasWeights = ({ arrays, children }: Group): boolean =>
  arrays.length > 0 || children.some(hasWeights);

/** Orders groups by the numbers of their names, because the file orders them alphabetically. */
export function inNumericOrder(groups: readonly Group[]): Group[] {
  const number = ({ name, key }: Group): number => {
    const text = name ?? key;
    return Number(text.slice(text.lastIndexOf('_') + 1)) || 0;
  };
  return [...groups].sort((a, b) => number(a) - number(b));
}

/** Code for the layer of a group: one of Keras's, else of a class of its own. */
export function sublayerOf(group: Group, own: OwnClass): Sublayer {
  for (const matcher of matchers) {
    const sublayer = matcher(group, own);
    if (sublayer) return sublayer;
  }
  return own(group);
}

/** Returns the layers of a list, such as `this.blocks = [...]` in Python; null for a layer. */
export function listIn(group: Group): readonly Group[] | null {
  const { name, arrays, children } = group;
  const members = children.filter(hasWeights);
  if (name !== undefined || arrays.length > 0 || members.length === 0) return null;
  const isMember = ({ key, name: layer }: Group): boolean =>
    layer !== undefined && pythonName(layer).startsWith(key.replace(/_\d+$/, '').slice(0, 3));
  return members.every((member) => isMember(member) || member.name !== undefined)
    ? inNumericOrder(children)
    : null;
}

/** A comment about a layer without weights that is not recognised. */
export const unknownSublayer = ({ key, name }: Group): string =>
  `${inComment(key)}: the layer ${literal(name ?? key)}, without weights`;
