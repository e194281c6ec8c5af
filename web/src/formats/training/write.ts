// SPDX-License-Identifier: MIT
// The training part of `save`. Only entries that can train fetch it.
import { warn } from '../../base/visible.js';
import type { Layer } from '../../layers/layer.js';
import type { Trainable } from '../../model/trainable.js';
import type { StoredGroup, StoredTraining } from '../../model/services.js';
import type { Compiled } from '../../training/compiled.js';
import type { Optimizer } from '../../training/optimizer.js';
import type { Training } from './entry.js';
import { compileConfigOf, Unsaveable } from './compile_config.js';

type Arrays = StoredGroup['arrays'][number][];

const rateArray = (value: number) => ({
  shape: [],
  dtype: 'float32',
  data: Float32Array.of(value),
});

/** Index of the first variable of a nested optimizer; 0 without one. */
const firstOfInner = ({ variables }: Optimizer): number =>
  variables.map(({ name }) => name).lastIndexOf('iteration');

/** The optimizer's variables; `withRate` adds the current value of a function of the rate. */
function arraysOf(optimizer: Optimizer, withRate: boolean): Arrays {
  const arrays: Arrays = optimizer.getWeights().map((value) => {
    const { shape, dtype } = value;
    const data = value.data();
    value.dispose();
    return { shape: shape as number[], dtype, data };
  });
  if (withRate && optimizer.rateFunction) {
    arrays.splice(firstOfInner(optimizer) + 1, 0, rateArray(optimizer.learningRate));
  }
  return arrays;
}

/** Groups of variables as Keras writes them: those of a nested optimizer are repeated. */
function groupsOf(optimizer: Optimizer, withRate: boolean): StoredGroup[] {
  const arrays = arraysOf(optimizer, withRate);
  const groups = [{ path: 'optimizer', name: optimizer.name, arrays }];
  const { inner_optimizer: inner } = optimizer.getConfig() as {
    inner_optimizer?: { config: { name: string } };
  };
  if (inner) {
    groups.push({
      path: 'optimizer/inner_optimizer',
      name: inner.config.name,
      arrays: arrays.slice(firstOfInner(optimizer)),
    });
  }
  return groups;
}

const warned = new WeakSet<Compiled>();

/** Warns once for each compilation. */
function warnOnce(compiled: Compiled, message: string): void {
  if (warned.has(compiled)) return;
  warned.add(compiled);
  warn(message);
}

/**
 * The compile config and optimizer variables of a model; null if it is not compiled, or if a loss
 * or metric cannot be saved.
 */
export function storedTraining(model: Layer, training: Training): StoredTraining | null {
  const { compiled } = model as Layer & { compiled?: Compiled };
  if (!compiled) return null;
  const optimizer = compiled.optimizer as unknown as Optimizer;
  try {
    const serialized = optimizer.serialize();
    if ('inner_optimizer' in serialized.config) delete serialized.config['learning_rate'];
    const own = (
      model as Layer & Partial<Pick<Trainable, 'getCompileConfig'>>
    ).getCompileConfig?.();
    const config = own ?? compileConfigOf(compiled.options, serialized, training);
    if (optimizer.rateFunction) {
      warnOnce(
        compiled,
        `the learning rate of '${model.name}' is a function, which cannot be saved; its current value is saved instead`,
      );
    }
    return { config, groups: groupsOf(optimizer, true) };
  } catch (error) {
    if (!(error instanceof Unsaveable)) throw error;
    warnOnce(
      compiled,
      `'${model.name}' is saved without its compile config: ${error.what} is a user-defined function, which cannot be saved; call compile() again after loading`,
    );
    return null;
  }
}

/**
 * The state of the optimizer of a compiled model for a file of weights. A function of the learning
 * rate has no variable, as in Keras.
 */
export const storedState = (model: Layer, { compiledOf }: Training): readonly StoredGroup[] =>
  groupsOf(compiledOf(model, 'saveWeights').optimizer as unknown as Optimizer, false);
