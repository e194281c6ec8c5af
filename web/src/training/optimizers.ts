// SPDX-License-Identifier: MIT
import { refuse } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { Optimizer } from './optimizer.js';

/** What makes optimizers of that name. */
export const optimizerMaker =
  (className: string) =>
  (settings?: object): Optimizer =>
    new Optimizer(className, settings);

/** What stands for an optimizer: its name in Keras, a configuration, or one itself. */
export type OptimizerLike = string | Optimizer | { class_name: string; config?: object | null };

/** Makes an optimizer from `{ class_name, config }`, as Keras or `serialize` wrote it. */
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

/** An optimizer by name or configuration; one itself stays as it is. */
export function get(identifier: OptimizerLike): Optimizer {
  if (identifier instanceof Optimizer) return identifier;
  return typeof identifier === 'string' ? new Optimizer(identifier) : deserialize(identifier);
}

export const serialize = (optimizer: Optimizer) => optimizer.serialize();
