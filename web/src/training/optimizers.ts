// SPDX-License-Identifier: MIT
// The functions of `optimizers`: the maker of the generated ones, and `get`, `serialize` and
// `deserialize` as in Keras.
import { isPlain, refuse } from '../base/check.js';
import { ConfigError, ValueError } from '../base/errors.js';
import { made, maker } from '../base/maker.js';
import { Optimizer } from './optimizer.js';

/** Returns the function that creates optimizers of a class. */
export const optimizerMaker = (name: string) =>
  maker(
    (first?: unknown, ...others: readonly unknown[]): Optimizer =>
      new Optimizer(name, settingsIn(name, first, others)),
  );

/** Returns the settings; as in Keras, the learning rate may come first and alone. */
function settingsIn(name: string, first: unknown, others: readonly unknown[]): object | undefined {
  const isSchedule = isPlain(first) && 'class_name' in first;
  const isRate = isSchedule || typeof first === 'number' || typeof first === 'function';
  if (others.length > (isRate ? 1 : 0) || (isRate && others.length > 0 && !isPlain(others[0]))) {
    const hasMomentum = /^(sgd|rmsprop)$/.test(name);
    const other = /am/.test(name) ? 'beta1: 0.9' : 'weightDecay: 0.004';
    const second = hasMomentum ? 'momentum: 0.9' : other;
    throw new ValueError(
      `only the learning rate is positional; pass the other settings by name: optimizers.${name}({ learningRate: 0.001, ${second} })`,
    );
  }
  return isRate ? { learningRate: first, ...(others[0] as object) } : (first as object);
}

/** An optimizer, its name in Keras, or its config. */
export type OptimizerLike = string | Optimizer | { class_name: string; config?: object | null };

/** Creates an optimizer from `{ class_name, config }`, as Keras or `serialize` writes it. */
export function deserialize(serialized: { class_name: string; config?: object | null }): Optimizer {
  const { class_name: name, config } = (serialized ?? {}) as {
    class_name?: unknown;
    config?: object;
  };
  if (typeof name !== 'string') {
    refuse(
      'the optimizer',
      "a name such as 'adam', an optimizer such as optimizers.adam(), or { class_name, config }",
      serialized,
      ConfigError,
    );
  }
  return new Optimizer(name as string, config ?? {});
}

/** Returns an optimizer by name or config. An optimizer is returned as is. */
export function get(identifier: OptimizerLike): Optimizer {
  const optimizer = made(identifier) as OptimizerLike;
  if (optimizer instanceof Optimizer) return optimizer;
  return typeof optimizer === 'string' ? new Optimizer(optimizer) : deserialize(optimizer);
}

/** Returns the optimizer in Keras's form, from which `deserialize` creates an equal one. */
export function serialize(optimizer: Optimizer) {
  if (optimizer instanceof Optimizer) return optimizer.serialize();
  return refuse('the optimizer', 'an optimizer, such as optimizers.adam()', optimizer);
}
