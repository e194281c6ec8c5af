// SPDX-License-Identifier: MIT
// Errors for classes that name a member as in Python: nothing would call `compute_mask`.
import { ValueError } from './errors.js';
import { toCamel } from './names.js';

/** Returns the member of an object that a name in snake_case means. */
export function memberFor(object: object, name: string): string | undefined {
  const member = toCamel(name);
  return member !== name && member in object ? member : undefined;
}

/** Prototypes of classes without a name in snake_case: no object of theirs is refused for them. */
const checked = new WeakSet<object>();

/**
 * Throws ValueError if the class of an object, or one between it and `base`, defines a member under
 * its name in Python. It may define both names.
 */
export function refusePythonNames(object: object, base: object): void {
  let owner = Object.getPrototypeOf(object);
  for (; owner !== base && !checked.has(owner); owner = Object.getPrototypeOf(owner)) {
    const names = Object.getOwnPropertyNames(owner);
    for (const name of names) {
      const member = memberFor(object, name);
      if (!member || Object.hasOwn(owner, member)) continue;
      throw new ValueError(
        `${object.constructor.name} defines ${name}, which nothing calls; name it ${member}`,
      );
    }
    if (names.every((name) => toCamel(name) === name)) checked.add(owner);
  }
}
