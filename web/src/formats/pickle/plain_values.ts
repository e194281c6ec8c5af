// SPDX-License-Identifier: MIT
// Turns values of a pickle into plain data.
import { elementCount } from '../../base/array.js';
import { nest } from '../../base/nested.js';
import type { TypedArray } from '../../base/nested.js';
import { visible } from '../../base/visible.js';
import { FormatError, MaskflowError } from '../../base/errors.js';
import { type Tensor, tensor } from '../../tensor/tensor.js';
import type { Budget } from '../open/budget.js';
import { PythonName, PythonObject } from './python_values.js';
import { type HostArray, type HostElements, NumpyArray } from './numpy_values.js';
import { pickledClasses } from './pickled_classes.js';

/**
 * A value of a pickle: null, numbers, texts, bytes, tensors, lists, objects and objects of classes.
 */
export type PickledValue = unknown;

/** An object of a class without a meaning here. Nothing of the class runs. */
export interface PickledObject {
  /** Module and name of the class, or of the function that would make the object. */
  readonly class: string;
  /** Attributes. */
  readonly fields: { readonly [name: string]: PickledValue };
  /** Arguments of the call that would make the object. */
  readonly args?: readonly PickledValue[];
  /** Items of a class that extends a list or a dictionary. */
  readonly items?: PickledValue;
}

/** Elements of a tensor. */
export interface ElementsOf {
  readonly data: TypedArray;
  readonly shape: readonly number[];
  readonly dtype: Tensor['dtype'];
}

const kWhere = 'the values of the pickle';
const kMaxInt32 = 2 ** 31;

const fitsInt32 = (data: TypedArray): boolean =>
  data.every((value) => value >= -kMaxInt32 && value < kMaxInt32);

/**
 * Turns the values of one pickle into plain data; each value once, however often it is repeated.
 */
export class PlainValues {
  readonly #done = new Map<unknown, unknown>();
  readonly #tensors: Tensor[] = [];

  constructor(
    readonly budget: Budget,
    /** Values that are left out. */
    readonly omitted: (value: unknown) => boolean = () => false,
    /** Returns the elements of a value that is an array of another kind; undefined for others. */
    readonly arrayOf: (value: object) => ElementsOf | undefined = () => undefined,
  ) {}

  /** Returns the value as plain data. After an error, no tensor remains. */
  convert(value: unknown): PickledValue {
    try {
      return this.#plain(value, 0);
    } catch (error) {
      for (const made of this.#tensors) made.dispose();
      throw error;
    }
  }

  #plain(value: unknown, depth: number): PickledValue {
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#done.get(value);
    if (known !== undefined) return known;
    this.budget.checkDepth(depth, kWhere);
    this.budget.spend('nodes', 1, kWhere);
    const keep = <T>(result: T): T => {
      this.#done.set(value, result);
      return result;
    };
    if (value instanceof Uint8Array) {
      this.budget.unpack(value.length, kWhere);
      return keep(value.slice());
    }
    if (value instanceof PythonName) return keep({ name: value.name });
    if (value instanceof NumpyArray) return keep(this.#array(value, depth));
    const other = this.arrayOf(value);
    if (other) return keep(this.#tensor(other.data, other.shape, other.dtype));
    if (Array.isArray(value)) {
      const list = keep<unknown[]>([]);
      for (const item of value) if (!this.omitted(item)) list.push(this.#plain(item, depth + 1));
      return list;
    }
    if (value instanceof Map) return this.#map(value, depth, keep);
    if (value instanceof PythonObject) return this.#object(value, depth, keep);
    throw new FormatError('the pickle is damaged: a value is not one of Python');
  }

  #tensor(data: TypedArray, shape: readonly number[], dtype: Tensor['dtype']): Tensor {
    const made = tensor(data, { shape: [...shape], dtype });
    this.#tensors.push(made);
    return made;
  }

  /** A dictionary with texts or integers as keys becomes an object, another one a Map. */
  #map(map: ReadonlyMap<unknown, unknown>, depth: number, keep: <T>(result: T) => T): PickledValue {
    this.budget.spend('nodes', map.size, kWhere);
    const keys = [...map.keys()];
    const isObject =
      keys.every((key) => typeof key === 'string') || keys.every((key) => Number.isInteger(key));
    const entries = [...map].filter(([, item]) => !this.omitted(item));
    if (isObject) {
      const object = keep<{ [key: string]: unknown }>({});
      for (const [key, item] of entries) {
        // Assigning to '__proto__' would change the class of the object.
        Object.defineProperty(object, key as string, {
          value: this.#plain(item, depth + 1),
          writable: true,
          enumerable: true,
          configurable: true,
        });
      }
      return object;
    }
    const result = keep(new Map<unknown, unknown>());
    for (const [key, item] of entries) {
      result.set(this.#plain(key, depth + 1), this.#plain(item, depth + 1));
    }
    return result;
  }

  #object(object: PythonObject, depth: number, keep: <T>(result: T) => T): PickledValue {
    const known = this.#known(object);
    if (known) return keep(known);
    const { className, attributes, args, items, state } = object;
    const result: { [key: string]: unknown } = keep({
      // Protocols 0 to 2 have the name of Python 2.
      class: className.replace(/^__builtin__\./, 'builtins.'),
      fields: {},
    });
    result['fields'] = this.#map(
      new Map([...attributes].map(([k, v]) => [String(k), v])),
      depth,
      (each) => each,
    );
    if (args.length > 0) result['args'] = this.#plain(args, depth + 1);
    if (items !== undefined) result['items'] = this.#plain(items, depth + 1);
    if (state !== undefined && state !== null) result['state'] = this.#plain(state, depth + 1);
    return result;
  }

  /** Returns the object of a class with a meaning; undefined for other classes. */
  #known({ className, attributes }: PythonObject): object | undefined {
    const make = pickledClasses.supplied;
    if (!make) return undefined;
    const host = (value: unknown): unknown =>
      value instanceof NumpyArray ? (hostArray(value, this.budget) ?? value) : value;
    try {
      return make(
        className,
        new Map([...attributes].map(([name, value]) => [String(name), host(value)])),
      );
    } catch (error) {
      if (!(error instanceof MaskflowError)) throw error;
      throw new FormatError(
        `the pickle has a ${visible(className)} that cannot be used: ${error.message}`,
      );
    }
  }

  #array(array: NumpyArray, depth: number): PickledValue {
    const { shape, dtype } = array;
    const data = array.elements(this.budget);
    if (data === undefined) {
      return { class: 'numpy.ndarray', fields: { dtype: dtype.name, shape: [...shape] } };
    }
    if (dtype.kind === 'b') return this.#tensor(data as TypedArray, shape, 'bool');
    if (dtype.kind === 'f')
      return this.#tensor(Float32Array.from(data as TypedArray), shape, 'float32');
    if (!Array.isArray(data) && fitsInt32(data as TypedArray)) {
      return this.#tensor(Int32Array.from(data as TypedArray), shape, 'int32');
    }
    // An array without elements may have axes of any size.
    const zero = shape.indexOf(0);
    if (zero >= 0) this.budget.spend('nodes', elementCount(shape.slice(0, zero)), kWhere);
    const items = Array.from(data as ArrayLike<unknown>, (item) => this.#plain(item, depth + 1));
    return nest(items as never, shape);
  }
}

/**
 * Returns an array with its elements in row-major order; undefined for a dtype that cannot be read.
 */
function hostArray(array: NumpyArray, budget: Budget): HostArray | undefined {
  const data: HostElements | undefined = array.elements(budget);
  return data && { shape: array.shape, dtype: array.dtype.name, data };
}
