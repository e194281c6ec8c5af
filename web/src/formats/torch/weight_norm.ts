// SPDX-License-Identifier: MIT
// Weights of torch.nn.utils.weight_norm: a file has a direction and a length in place of each.
import { elementCount } from '../../base/array.js';
import type { Budget } from '../open/budget.js';
import type { ModuleNode } from './module_node.js';
import { bufferOf, denseStrides, floatsOf, isFloat, type StoredTensor } from './stored.js';

/** A weight in two parts: w = length * direction / |direction|. */
interface Parts {
  readonly length: StoredTensor;
  readonly direction: StoredTensor;
}

const canBeRead = (tensor: StoredTensor | undefined): tensor is StoredTensor =>
  tensor !== undefined && tensor.problem === undefined && isFloat(tensor);

/** Whether a length has one number for all elements, or one for each position of some axes. */
function isLengthOf({ shape: sizes }: StoredTensor, { shape }: StoredTensor): boolean {
  if (elementCount(shape) === 0) return false;
  if (sizes.length === 0) return true;
  return (
    sizes.length === shape.length &&
    sizes.every((size, axis) => size === 1 || size === shape[axis]) &&
    (sizes.includes(1) || elementCount(shape) === 1)
  );
}

function partsOf(length?: StoredTensor, direction?: StoredTensor): Parts | undefined {
  if (!canBeRead(length) || !canBeRead(direction)) return undefined;
  return isLengthOf(length, direction) ? { length, direction } : undefined;
}

/** Computes the weight. Sums are in 64 bits. */
function weightOf({ length, direction }: Parts, budget: Budget): StoredTensor {
  const { shape } = direction;
  budget.unpack(elementCount(shape) * Float32Array.BYTES_PER_ELEMENT, 'the weights of weight_norm');
  const values = floatsOf(direction, 'weight_v');
  const lengths = floatsOf(length, 'weight_g');
  // Strides of the length for the axes of the direction: 0 where one number is for all.
  const own = denseStrides(length.shape);
  const steps = shape.map((_, axis) =>
    (length.shape[axis] ?? 1) === 1 ? 0 : (own[axis] as number),
  );
  const place = new Uint32Array(values.length);
  const strides = denseStrides(shape);
  for (let i = 0; i < values.length; i++) {
    let at = 0;
    for (const [axis, step] of steps.entries()) {
      if (step === 0) continue;
      at += (Math.floor(i / (strides[axis] as number)) % (shape[axis] as number)) * step;
    }
    place[i] = at;
  }
  const squares = new Float64Array(lengths.length);
  for (const [i, at] of place.entries()) {
    squares[at] = (squares[at] as number) + (values[i] as number) ** 2;
  }
  for (const [i, at] of place.entries()) {
    const factor = (lengths[at] as number) / Math.sqrt(squares[at] as number);
    values[i] = (values[i] as number) * factor;
  }
  const buffer = bufferOf('', 4 * values.length, 4, new Uint8Array(values.buffer));
  return { dtype: 'float32', buffer, offset: 0, shape, strides };
}

/** The parts of the old form: `weight_g` and `weight_v` beside each other. */
function* oldParts({ tensors }: ModuleNode): Generator<[string, Parts, string[]]> {
  for (const name of tensors.keys()) {
    const [, weight] = /^(\w*weight\w*)_v$/.exec(name) ?? [];
    if (weight === undefined || tensors.has(weight) || tensors.has(`${weight}_orig`)) continue;
    const parts = partsOf(tensors.get(`${weight}_g`), tensors.get(name));
    if (parts) yield [weight, parts, [`${weight}_g`, name]];
  }
}

/** The parts of the new form: `parametrizations.weight.original0` and `original1`. */
function* newParts(node: ModuleNode): Generator<[string, Parts]> {
  const all = node.children.get('parametrizations')?.children ?? new Map<string, ModuleNode>();
  for (const [weight, { tensors, children }] of all) {
    const parts = partsOf(tensors.get('original0'), tensors.get('original1'));
    const isAlone = tensors.size === 2 && children.size === 0;
    if (parts && isAlone && !node.tensors.has(weight)) yield [weight, parts];
  }
}

/** Adds the weights that `weight_norm` replaced to a module and to those inside of it. */
export function addNormalizedWeights(node: ModuleNode, budget: Budget): void {
  for (const [name, parts, stored] of [...oldParts(node)]) {
    node.addComputed(name, weightOf(parts, budget), stored);
  }
  for (const [name, parts] of [...newParts(node)]) {
    node.addComputed(name, weightOf(parts, budget), []);
    const inner = node.children.get('parametrizations') as ModuleNode;
    const stored = inner.children.get(name) as ModuleNode;
    inner.children.delete(name);
    for (const [part, tensor] of stored.tensors) {
      node.replaced.set(`parametrizations.${name}.${part}`, tensor);
    }
    if (inner.children.size === 0 && inner.tensors.size === 0) {
      node.children.delete('parametrizations');
    }
  }
  for (const child of node.children.values()) addNormalizedWeights(child, budget);
}
