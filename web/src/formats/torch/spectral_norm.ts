// SPDX-License-Identifier: MIT
// Weights of spectral_norm: a file has the weight before its division by sigma, its largest
// singular value, which two stored vectors estimate.
import { elementCount } from '../../base/array.js';
import type { Budget } from '../open/budget.js';
import type { ModuleNode } from './module_node.js';
import { bufferOf, denseStrides, floatsOf, isFloat, type StoredTensor } from './stored.js';

/** A weight and the vectors u and v, as modules that evaluate use them: sigma = u W v. */
interface Parts {
  readonly weight: StoredTensor;
  readonly u: StoredTensor;
  readonly v: StoredTensor;
  /** Axis of the rows of W. */
  readonly axis: number;
}

const canBeRead = (tensor: StoredTensor | undefined): tensor is StoredTensor =>
  tensor !== undefined && tensor.problem === undefined && isFloat(tensor);

function partsOf(weight?: StoredTensor, u?: StoredTensor, v?: StoredTensor): Parts | undefined {
  if (!canBeRead(weight) || !canBeRead(u) || !canBeRead(v)) return undefined;
  const rows = u.shape[0] ?? 0;
  const columns = v.shape[0] ?? 0;
  const isSplit = u.shape.length === 1 && v.shape.length === 1 && rows > 0;
  // The axis is 0 for all modules but the transposed ones, for which it is 1.
  const axis = weight.shape.indexOf(rows);
  const fits = isSplit && axis >= 0 && rows * columns === elementCount(weight.shape);
  return fits ? { weight, u, v, axis } : undefined;
}

/** Computes the weight. Sums are in 64 bits. */
function weightOf({ weight, u, v, axis }: Parts, budget: Budget): StoredTensor {
  const { shape } = weight;
  budget.unpack(
    elementCount(shape) * Float32Array.BYTES_PER_ELEMENT,
    'the weights of spectral_norm',
  );
  const values = floatsOf(weight, 'weight_orig');
  const [left, right] = [floatsOf(u, 'weight_u'), floatsOf(v, 'weight_v')];
  const strides = denseStrides(shape);
  const stride = strides[axis] as number;
  const rows = left.length;
  let sigma = 0;
  for (let i = 0; i < values.length; i++) {
    const row = Math.floor(i / stride) % rows;
    // Position among the elements of the row, in the order of the other axes.
    const column = Math.floor(i / (stride * rows)) * stride + (i % stride);
    sigma += (left[row] as number) * (values[i] as number) * (right[column] as number);
  }
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) / sigma;
  const buffer = bufferOf('', 4 * values.length, 4, new Uint8Array(values.buffer));
  return { dtype: 'float32', buffer, offset: 0, shape, strides };
}

/** Adds the weights that the old form replaced: `weight_orig`, `weight_u`, `weight_v`. */
function addOld(node: ModuleNode, budget: Budget): void {
  const { tensors } = node;
  for (const stored of [...tensors.keys()]) {
    const [, name] = /^(\w*weight\w*)_orig$/.exec(stored) ?? [];
    if (name === undefined) continue;
    const names = ['orig', 'u', 'v'].map((part) => `${name}_${part}`);
    const [weight, u, v] = names.map((each) => tensors.get(each));
    const parts = partsOf(weight, u, v);
    if (!parts || tensors.has(name)) continue;
    node.addComputed(name, weightOf(parts, budget), names);
  }
}

/** Adds those of the new form: `parametrizations.weight.original` and `0._u`, `0._v` below it. */
function addNew(node: ModuleNode, budget: Budget): void {
  const inner = node.children.get('parametrizations');
  for (const [name, { tensors, children }] of inner?.children ?? []) {
    const vectors = children.get('0')?.tensors;
    const parts = partsOf(tensors.get('original'), vectors?.get('_u'), vectors?.get('_v'));
    if (!parts || children.size > 1 || node.tensors.has(name)) continue;
    node.addComputed(name, weightOf(parts, budget), []);
    inner?.children.delete(name);
    const path = `parametrizations.${name}`;
    node.replaced.set(`${path}.original`, parts.weight);
    node.replaced.set(`${path}.0._u`, parts.u);
    node.replaced.set(`${path}.0._v`, parts.v);
  }
  if (inner?.children.size === 0 && inner.tensors.size === 0)
    node.children.delete('parametrizations');
}

/** Adds the weights that `spectral_norm` replaced to a module and to those inside of it. */
export function addSpectralWeights(node: ModuleNode, budget: Budget): void {
  addOld(node, budget);
  addNew(node, budget);
  for (const child of node.children.values()) addSpectralWeights(child, budget);
}
