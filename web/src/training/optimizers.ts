// SPDX-License-Identifier: MIT
import { refuse } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { Optimizer } from './optimizer.js';

/** Returns the function that creates optimizers of a class. */
export const optimizerMaker =
  (className: string) =>
  (settings?: object): Optimizer =>
    new Optimizer(className, settings);

/** An optimizer, its name in Keras, or its config. */
export type OptimizerLike = string | Optimizer | { class_name: string; config?: object | null };

/** Creates an optimizer from `{ class_name, config }`, as Keras or `serialize` writes it. */
export function deserialize(serialized: { class_name: string; config?: object | null }): Optimizer {
  const { class_name: name, config } = (serialized ?? {}) as {
    class_name?: unknown;
    config?: object;
  };
  if (typeof name !== 'string') {
    refuse('a serialized optimizer', '{ class_name, config }', serialized, ConfigError);
  }
  return new Optimizer(name as string, config ?? {});
}

/** Returns an optimizer by name or config. An optimizer is returned as is. */
export function get(identifier: OptimizerLike): Optimizer {
  if (identifier instanceof Optimizer) return identifier;
  return typeof identifier === 'string' ? new Optimizer(identifier) : deserialize(identifier);
}

/** Returns the optimizer in Keras's form, from which `deserialize` creates an equal one. */
export const serialize = (optimizer: Optimizer) => optimizer.serialize();
