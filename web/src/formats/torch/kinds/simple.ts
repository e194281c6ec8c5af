// SPDX-License-Identifier: MIT
// nn.Linear, nn.Embedding and nn.PReLU.
import { elementCount } from '../../../base/array.js';
import { ConfigError } from '../../../base/errors.js';
import { Input } from '../../../layers/input.js';
import type { Layer } from '../../../layers/layer.js';
import { PReLU } from '../../../layers/more_layers.gen.js';
import { Dense, Embedding } from '../../../layers/recurrent_layers.gen.js';
import { Model } from '../../../model/model.js';
import { ops } from '../../../ops/ops.js';
import type { SymbolicTensor } from '../../../tensor/tensor.js';
import type { ModuleNode } from '../module_node.js';
import { type Kind, nameOf, ofLayers, type Part, transpose, withWeights } from './kind.js';

/** Returns the shape of the weight of a module that has this number of axes. */
function weightShape(node: ModuleNode, rank: number): readonly number[] {
  const shape = node.shapeOf('weight') ?? [];
  return shape.length === rank ? shape : [];
}

export const linear: Kind = {
  facts(node) {
    const [outFeatures, inFeatures] = weightShape(node, 2);
    const bias = node.shapeOf('bias');
    if (outFeatures === undefined || inFeatures === undefined) return undefined;
    if (bias && String(bias) !== String([outFeatures])) return undefined;
    return { inFeatures, outFeatures, bias: bias !== undefined };
  },
  options: 'activation',
  make: makeDense,
};

function makeDense(part: Part): Layer {
  const { node, settings } = part;
  const { inFeatures, outFeatures, bias, activation } = settings as Required<Part['settings']>;
  const config = { units: outFeatures, useBias: bias, ...(activation && { activation }) };
  const weights = [transpose(node.floats('weight', [outFeatures, inFeatures]), inFeatures)];
  if (bias) weights.push(node.floats('bias', [outFeatures]));
  return withWeights(new Dense({ ...nameOf(part), ...config }), [null, inFeatures], weights);
}

export const embedding: Kind = {
  facts(node) {
    const [numEmbeddings, embeddingDim] = weightShape(node, 2);
    if (node.tensors.has('bias') || numEmbeddings === undefined) return undefined;
    return { numEmbeddings, embeddingDim: embeddingDim as number };
  },
  options: 'paddingIdx maskZero maskId',
  make(part) {
    const { node, settings } = part;
    const { numEmbeddings: rows, embeddingDim: columns } = settings as Required<Part['settings']>;
    const table = node.floats('weight', [rows, columns]);
    const { maskZero, maskId = maskZero ? 0 : null } = settings;
    rowOf(part, 'paddingIdx');
    const masked = rowOf({ ...part, settings: { ...settings, maskId } }, 'maskId');
    if (maskZero && masked !== 0) {
      throw new ConfigError(
        `maskId is ${maskId}, but maskZero masks the id 0 of '${node.path}'; give one of them`,
      );
    }
    if (masked !== null && masked > 0) return embeddingWithPadding(part, table, masked);
    return embeddingOf(table, columns, { ...nameOf(part), maskZero: masked === 0 });
  },
};

/** Returns the row that an option names; null for none. Throws ConfigError for another number. */
function rowOf({ node, settings }: Part, option: 'paddingIdx' | 'maskId'): number | null {
  const { numEmbeddings: rows = 0, [option]: id = null } = settings;
  if (id === null) return null;
  const row = id < 0 ? rows + id : id;
  if (Number.isInteger(row) && row >= 0 && row < rows) return row;
  throw new ConfigError(`${option} is ${id}, but '${node.path}' has ${rows} rows`);
}

function embeddingOf(
  table: Float32Array,
  columns: number,
  config: { maskZero: boolean; name?: string },
): Embedding {
  const inputDim = table.length / columns;
  const layer = new Embedding({ ...config, inputDim, outputDim: columns });
  return withWeights(layer, [null, null], [table]);
}

/** Keras masks id 0 only: moves the row of the padding to the front, and the ids likewise. */
function embeddingWithPadding(part: Part, table: Float32Array, padding: number): Layer {
  const { embeddingDim: columns = 1 } = part.settings;
  const row = table.slice(padding * columns, (padding + 1) * columns);
  const moved = table.slice();
  moved.copyWithin(columns, 0, padding * columns);
  moved.set(row);
  return ofLayers((own) => {
    const ids: SymbolicTensor = Input({ shape: [null], dtype: 'int32' });
    const shifted = ops.add(ids, ops.cast(ops.less(ids, padding), 'int32'));
    const places = ops.where(ops.equal(ids, padding), 0, shifted);
    const outputs = own(embeddingOf(moved, columns, { maskZero: true })).apply(places);
    return new Model({ ...nameOf(part), inputs: ids, outputs });
  });
}

export const prelu: Kind = {
  facts(node) {
    const [numParameters] = weightShape(node, 1);
    if (numParameters === undefined || node.tensors.size > 1) return undefined;
    return { numParameters };
  },
  options: 'rank',
  make(part) {
    const { rank = 2, numParameters: count = 1 } = part.settings;
    if (!Number.isInteger(rank) || rank < 2 || rank > 8) {
      throw new ConfigError(`rank is ${rank}, but must be the number of axes, 2 to 8`);
    }
    // Slopes differ by channel at most, and channels are the last axis.
    const shared = Array.from({ length: rank - (count === 1 ? 1 : 2) }, (_, i) => i + 1);
    const shape = Array.from({ length: rank }, (_, i) => (i === rank - 1 ? count : null));
    const weights = [part.node.floats('weight', [count])];
    const layer = new PReLU({ ...nameOf(part), ...(shared.length > 0 && { sharedAxes: shared }) });
    return withWeights(layer, shape, weights);
  },
};

/** Number of elements of a module's weight. */
export const weightSize = (node: ModuleNode): number => elementCount(node.shapeOf('weight') ?? [0]);
