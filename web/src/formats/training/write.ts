// SPDX-License-Identifier: MIT
import { warn } from '../../base/visible.js';
import type { Layer } from '../../layers/layer.js';
import type { StoredGroup, StoredTraining } from '../../model/services.js';
import type { Compiled } from '../../training/compiled.js';
import type { Optimizer } from '../../training/optimizer.js';
import type { Training } from './entry.js';
import { compileConfigOf, Unsaveable } from './compile_config.js';

type Arrays = StoredGroup['arrays'][number][];

const rate = (value: number) => ({
  shape: [],
  dtype: 'float32',
  data: Float32Array.of(value),
});

/** Where the variables of an optimizer inside another begin; 0 where there is none. */
const firstOfInner = ({ variables }: Optimizer): number =>
  variables.map(({ name }) => name).lastIndexOf('iteration');

/** The optimizer's variables. A learning rate that is a function here is a number in the file, and so has a variable. */
function arraysOf(optimizer: Optimizer): Arrays {
  const arrays: Arrays = optimizer.variables.map(({ shape, dtype, value }) => {
    const data = value.data();
    value.dispose();
    return { shape, dtype, data };
  });
  if (optimizer.rateFunction) {
    arrays.splice(firstOfInner(optimizer) + 1, 0, rate(optimizer.learningRate));
  }
  return arrays;
}

/** In groups as Keras writes them: those of an optimizer inside another are there twice. */
function groupsOf(optimizer: Optimizer): StoredGroup[] {
  const arrays = arraysOf(optimizer);
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

const told = new WeakSet<Compiled>();

function once(compiled: Compiled, message: string): void {
  if (told.has(compiled)) return;
  told.add(compiled);
  warn(message);
}

/** What a file has of the training of a model; null where it is not compiled, or in a way that no file can hold. */
export function storedTraining(model: Layer, training: Training): StoredTraining | null {
  const { compiled } = model as Layer & { compiled?: Compiled };
  if (!compiled) return null;
  const optimizer = compiled.optimizer as unknown as Optimizer;
  try {
    const serialized = optimizer.serialize();
    if ('inner_optimizer' in serialized.config) delete serialized.config['learning_rate'];
    const config = compileConfigOf(compiled.options, serialized, training);
    if (optimizer.rateFunction) {
      once(
        compiled,
        `the learning rate of '${model.name}' is a function, which no file can hold; the number that it gives now is saved in its place`,
      );
    }
    return { config, groups: groupsOf(optimizer) };
  } catch (error) {
    if (!(error instanceof Unsaveable)) throw error;
    once(
      compiled,
      `'${model.name}' is saved without what it was compiled with: ${error.what} is a function of yours, which no file can hold; compile() it again after it is loaded`,
    );
    return null;
  }
}
