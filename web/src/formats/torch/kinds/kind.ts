// SPDX-License-Identifier: MIT
// The interface of a kind of module, and the helpers that the files of kinds/ share.
import { show } from '../../../base/check.js';
import { ConfigError, UnsupportedError } from '../../../base/errors.js';
import type { Layer } from '../../../layers/layer.js';
import { tidy } from '../../../tensor/tidy.js';
import type { ModuleNode } from '../module_node.js';
import { member, PythonName, PythonObject } from '../../pickle/python_values.js';
import type { TorchKind, TorchLayerOptions } from '../settings.js';

/** Settings that the tensors state, by PyTorch's name in camelCase. */
export type Facts = { readonly [Name in keyof TorchLayerOptions]?: TorchLayerOptions[Name] };

/** A module and its settings: the facts, those of a pickled module, and the caller's. */
export interface Part {
  readonly kind: TorchKind;
  readonly node: ModuleNode;
  readonly settings: TorchLayerOptions;
}

/** How modules of a kind become layers. */
export interface Kind {
  /**
   * Returns what the tensors state; undefined if they are not those of this kind. A fact may depend
   * on a setting.
   */
  facts(node: ModuleNode, settings?: TorchLayerOptions): Facts | undefined;
  /** Settings that the tensors do not state, separated by spaces. */
  readonly options: string;
  /** Settings of a pickled module in addition to its attributes of the same names. */
  recorded?(record: PythonObject): TorchLayerOptions;
  make(part: Part): Layer;
}

/** Returns the matrix with rows and columns exchanged, and its column blocks in another order. */
export function transpose(
  matrix: Float32Array,
  columns: number,
  order: readonly number[] = [0],
): Float32Array {
  const rows = matrix.length / columns;
  const size = rows / order.length;
  const result = new Float32Array(matrix.length);
  order.forEach((block, place) => {
    for (let i = 0; i < size; i++) {
      const from = (block * size + i) * columns;
      const to = place * size + i;
      for (let j = 0; j < columns; j++) result[j * rows + to] = matrix[from + j] as number;
    }
  });
  return result;
}

/** Returns the layer's name as a setting, so that each module has its own. */
export function nameOf({ node, settings }: Part): { name?: string } {
  const name = settings.name ?? node.path.replaceAll(/[./]/g, '_');
  return name === '' ? {} : { name };
}

/** Marks a layer as one that a failure disposes of, and returns it. */
export type Own = <L extends Layer>(layer: L) => L;

/**
 * Creates something of several layers. Disposes of symbolic tensors, and of the layers on failure.
 */
export function ofLayers<T>(create: (own: Own) => T): T {
  const layers: Layer[] = [];
  try {
    return tidy(() =>
      create((layer) => {
        layers.push(layer);
        return layer;
      }),
    );
  } catch (error) {
    for (const layer of layers) layer.dispose();
    throw error;
  }
}

/** Sets the weights of a layer that is built for a shape, and returns the layer. */
export function withWeights<L extends Layer>(
  layer: L,
  shape: Parameters<Layer['build']>[0],
  weights: readonly Float32Array[],
): L {
  try {
    layer.build(shape);
    layer.setWeights(weights);
    return layer;
  } catch (error) {
    layer.dispose();
    throw error;
  }
}

/** Throws UnsupportedError for a setting that no layer of Keras has. */
export function refuseSetting({ node, kind }: Part, setting: string, remedy = ''): never {
  throw new UnsupportedError(
    `'${node.path}' (${kind}) has ${setting}, which Keras's layers do not have${remedy}`,
  );
}

/** Returns the number of heads. Throws ConfigError if it is missing or does not fit. */
export function headsOf({ node, kind, settings }: Part, features: number): number {
  const option = kind === 'MultiheadAttention' ? 'numHeads' : 'nhead';
  const heads = settings[option];
  const isDivisor = (count: number): boolean => Number.isInteger(features / count);
  if (Number.isInteger(heads) && (heads as number) > 0 && isDivisor(heads as number)) {
    return heads as number;
  }
  const divisors = Array.from({ length: Math.min(features, 64) }, (_, i) => i + 1);
  throw new ConfigError(
    `'${node.path}' (${kind}) needs the option ${option}${heads === undefined ? ', which a state dict does not have' : ` to divide its ${features} features, but it is ${show(heads)}`}: one of ${divisors.filter(isDivisor).join(', ')}`,
  );
}

/**
 * Returns an attribute of a pickled module as a setting; a function or a module as the last part of
 * its name, in lower case. Undefined for other values.
 */
export function attribute(record: PythonObject | undefined, name: string): unknown {
  // PyTorch keeps modules among the attributes apart.
  const value = member(record, name) ?? member(member(record, '_modules'), name);
  if (value instanceof PythonName) return lastPart(value.name);
  if (value instanceof PythonObject) {
    const isTanh = member(value, 'approximate') === 'tanh';
    return `${lastPart(value.className)}${isTanh ? '_tanh' : ''}`;
  }
  return Array.isArray(value) || typeof value !== 'object' || value === null ? value : undefined;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
