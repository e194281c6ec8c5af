// SPDX-License-Identifier: MIT
// Results of workers and pools, on pages that may not have loaded the core.
import { ShapeError } from '../base/errors.js';
import { isTypedArray, nest, type NestedArray } from '../base/nested.js';
import { type DType, type Tensor, tensor, type TensorData } from '../tensor/tensor.js';
import { onlyBy } from './failures.js';
import type { WireTensor, WireTree } from './messages.js';
import { structured } from './rows.js';

/**
 * Result of a worker. It is read like a `Tensor`, but its elements are in the memory of this
 * thread: it needs no `dispose()` and no `ready()`. Workers accept it as an input.
 */
export class WorkerTensor {
  /** Element type. */
  readonly dtype: DType;
  /** Sizes of the axes, outermost first. */
  readonly shape: readonly number[];
  /** Mask as a bool tensor (true = keep), or null. */
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

  /** Number of axes. */
  get rank(): number {
    return this.shape.length;
  }
  /** Number of elements. */
  get size(): number {
    return this.#data.length;
  }

  /** Returns the elements in row-major order, not copied; bool as bytes 0 and 1. */
  data(): TensorData {
    return this.#data;
  }

  /** Returns nested arrays of numbers, or of booleans for bool. */
  array(): NestedArray<number | boolean> {
    const items = this.dtype === 'bool' ? Array.from(this.#data, (x) => x !== 0) : this.#data;
    return nest<number | boolean>(items, this.shape);
  }

  /** Returns a tensor of this thread, with the mask. Throws StateError before `ready()` here. */
  toTensor(): Tensor {
    const bare = tensor(this.#data, { shape: this.shape, dtype: this.dtype });
    if (!this.mask) return bare;
    const mask = this.mask.toTensor();
    try {
      return bare.withMask(mask);
    } finally {
      bare.dispose();
      mask.dispose();
    }
  }

  /** Nested arrays of the elements, for JSON.stringify. */
  toJSON(): unknown {
    return this.array();
  }

  /** Returns the only element. Throws ShapeError unless the size is 1. */
  item(): number {
    if (this.size === 1) return this.#data[0] as number;
    throw new ShapeError(`item() needs one element, but the shape is [${this.shape}]`);
  }

  /** Does nothing; it exists for programs that also use `Tensor`. */
  dispose(): void {}
  /** Does nothing; for `using`. */
  [Symbol.dispose](): void {}
}

/** Outputs of a model in a worker: one, a list or a dictionary. */
export type WorkerOutputs = WorkerTensor | WorkerTensor[] | { [name: string]: WorkerTensor };

/** The tensors in the structure of the model's outputs. */
export const fromTree = (tree: WireTree): WorkerOutputs =>
  structured(
    tree,
    tree.items.map((item) => new WorkerTensor(item)),
  );
