// SPDX-License-Identifier: MIT
// Wrong arguments from right ones.
import { pick, integer } from '../../support/random.js';
import { anything, promised } from './values.js';

/** Returns whether the properties of a value may be read and changed. */
function isOpen(value) {
  try {
    return (
      (Array.isArray(value) ||
        (value && Object.getPrototypeOf(Object(value)) === Object.prototype && !('x' in value))) &&
      !Object.isFrozen(value)
    );
  } catch {
    return false;
  }
}

/**
 * Lists every position in a list of arguments, and in the plain objects and arrays inside it, as
 * container and key.
 */
function places(value, depth = 0, found = []) {
  if (!isOpen(value) || depth > 4) return found;
  for (const key of Object.keys(value).slice(0, 20)) {
    found.push([value, key]);
    places(value[key], depth + 1, found);
  }
  return found;
}

const swap = (list, i, j) => {
  [list[i], list[j]] = [list[j], list[i]];
};

/**
 * Returns the arguments, changed in one position, in several or in none. One list in twenty is
 * unrelated to the call.
 */
export function mutate(random, made, right) {
  if (random() < 0.05)
    return Array.from({ length: integer(random, 0, 3) }, () => anything(random, made));
  const args = [...right];
  for (let n = pick(random, [0, 1, 1, 1, 2, 3]); n > 0; n--) {
    const all = places(args);
    const [container, key] = all.length > 0 ? pick(random, all) : [args, 0];
    pick(random, [
      () => (container[key] = anything(random, made)),
      () => (container[key] = anything(random, made)),
      () => (args[integer(random, 0, args.length)] = anything(random, made)),
      () => delete container[key],
      () => args.push(anything(random, made)),
      () => args.pop(),
      () => args.length > 1 && swap(args, 0, integer(random, 1, args.length - 1)),
      () => (container[key] = promised(container[key])),
      () => (container[key] = [container[key]]),
      () => {
        if (typeof container[key] === 'number' && key !== 'repeats')
          container[key] *= pick(random, [-1, 0.5, 1000, 1e9]);
      },
      () => {
        // A Proxy of a promise cannot be awaited.
        if (typeof container[key] === 'object' && !(container[key] instanceof Promise))
          container[key] = new Proxy(container[key] ?? {}, {});
      },
      () => {
        const objects = all.map(([c, k]) => c[k]).filter((v) => v?.constructor === Object);
        if (objects.length > 0) {
          const name = pick(random, [
            '__proto__',
            'constructor',
            'extra',
            'mask',
            'name',
            'dtype',
            'axis',
            'batchSize',
            'out',
          ]);
          Object.defineProperty(pick(random, objects), name, {
            value: anything(random, made),
            enumerable: true,
            configurable: true,
            writable: true,
          });
        }
      },
    ])();
  }
  return args;
}
