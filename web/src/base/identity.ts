// SPDX-License-Identifier: MIT
// How objects of the package look to libraries that compare, print and copy objects. Such libraries
// read the enumerable properties of an object itself, which are all that they see of it.
import type { Brand } from './brand.js';
import { kBrand } from './brand.js';
import { ValueError } from './errors.js';
import { kInspect } from './inspect.js';

/** Text in the DataCloneError of `structuredClone`, which refuses symbols. */
const kCopy = 'copy data(), getConfig() or getWeights() instead';

/** A property value that no copy can have. All tensors share it, so that two can be equal. */
export const notCloned = Symbol(kCopy);

/** Converts an object to text. Throws ValueError if an operator asks for a number. */
export function primitive(object: object, hint: string, remedy: string): string {
  if (hint === 'string') return object.toString();
  const { kind = 'object' } = (object as { [kBrand]?: Brand })[kBrand] ?? {};
  throw new ValueError(`an operator cannot compute with the ${kind}; ${remedy}`);
}

/** An object that equals no other object and cannot be cloned. */
export abstract class Identity {
  /** Differs for each object. @internal */
  identity = Symbol(kCopy);

  /** Keeps Vue from wrapping the object in a Proxy, which has no private members. @internal */
  get __v_skip(): true {
    return true;
  }

  /** @internal */
  [Symbol.toPrimitive](hint: string): string {
    return primitive(this, hint, 'use what its apply(), result() or value returns');
  }
  /** Prints the object without its identity. @internal */
  [kInspect](_depth: number, options: object, inspect: (value: object, options: object) => string) {
    const { identity: _, ...fields } = this;
    return `${this.constructor.name} ${inspect(fields, options)}`;
  }
  /** Some libraries compare what this method returns. @internal */
  valueOf(): this {
    return this;
  }
}
