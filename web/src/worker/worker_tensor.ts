// SPDX-License-Identifier: MIT
import { ShapeError } from '../base/errors.js';
import { isTypedArray, nest, type NestedArray } from '../base/nested.js';
import { type DType, type Tensor, tensor, type TensorData } from '../tensor/tensor.js';
import { onlyBy } from './failures.js';
import type { WireTensor, WireTree } from './messages.js';

/**
 * What a worker computed: read like a `Tensor`, but its elements are in this thread's own memory, so that nothing has to be
 * disposed of and no `ready()` is needed. Can be given to a worker again.
 */
export class WorkerTensor {
  readonly dtype: DType;
  /** Outermost first. */
  readonly shape: readonly number[];
  /** A bool tensor (true = keep), or null. */
  readonly mask: WorkerTensor | null;
  readonly #data: TensorData;

  /** @internal */
  constructor(wire: WireTensor) {
    onlyBy('a worker', isTypedArray(wire?.data) && Array.isArray(wire.shape));
    const { dtype, shape, data, mask } = wire;
    this.dtype = dtype;
    this.shape = shape;
    this.#data = data as TensorData;
    this.mask = mask ? new WorkerTensor(mask) : null;
  }

  get rank(): number {
    return this.shape.length;
  }
  /** Number of elements. */
  get size(): number {
    return this.#data.length;
  }

  /** The elements in row-major order, bool as bytes 0 and 1: no copy. */
  data(): TensorData {
    return this.#data;
  }

  /** Nested arrays; booleans for bool. */
  array(): NestedArray<number | boolean> {
    const items = this.dtype === 'bool' ? Array.from(this.#data, (x) => x !== 0) : this.#data;
    return nest<number | boolean>(items, this.shape);
  }

  /** A tensor of this thread, with the mask. StateError before `ready()` here. */
  toTensor(): Tensor {
    const made = tensor(this.#data, { shape: this.shape, dtype: this.dtype });
    if (!this.mask) return made;
    const mask = this.mask.toTensor();
    try {
      return made.withMask(mask);
    } finally {
      made.dispose();
      mask.dispose();
    }
  }

  /** The only element of a tensor of size 1. */
  item(): number {
    if (this.size === 1) return this.#data[0] as number;
    throw new ShapeError(`item() needs one element, but the shape is [${this.shape}]`);
  }

  /** Does nothing; for programs that run on tensors of either kind. */
  dispose(): void {}
  [Symbol.dispose](): void {}
}

export type WorkerOutputs = WorkerTensor | WorkerTensor[] | { [name: string]: WorkerTensor };

/** In the structure that the model gave. */
export function fromTree({ form, keys, items }: WireTree): WorkerOutputs {
  const tensors = items.map((item) => new WorkerTensor(item));
  if (form === 'one') return tensors[0] as WorkerTensor;
  if (form === 'list') return tensors;
  return Object.fromEntries(keys.map((key, i) => [key, tensors[i] as WorkerTensor]));
}
