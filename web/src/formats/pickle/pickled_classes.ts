// SPDX-License-Identifier: MIT
// The place where maskflow/text registers classes that `readPickle` then returns as objects.
// Without that entry, they stay plain data.
import { Service } from '../../base/service.js';

/** The attributes of a pickled object: arrays are `HostArray`s, dictionaries are Maps. */
export type Attributes = ReadonlyMap<string, unknown>;

/**
 * Creates the object for a class of Python with a meaning here; returns undefined for other
 * classes. maskflow/text supplies it.
 */
export const pickledClasses = new Service<
  (className: string, attributes: Attributes) => object | undefined
>("import 'maskflow/text' for the classes of Keras and sklearn");
