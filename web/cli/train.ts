// SPDX-License-Identifier: MIT
import { ConfigError, UnsupportedError } from '../src/base/errors.js';
import type { CompileOptions, FitOptions, History } from '../src/model/train_options.js';
import { callbacks, type DType, type Model, ready, tensor } from '../src/train.js';
import { type Inputs, readsText, whole } from './inputs.js';
import type { Targets } from './training_targets.js';
import { Progress } from './progress.js';
import { UsageError } from './usage.js';

/** What the options say of compiling; undefined where they do not. */
export interface Asked {
  loss: string | undefined;
  optimizer: string | undefined;
  learningRate: number | undefined;
  metrics: string[] | undefined;
}

const isAsked = (asked: Asked): boolean =>
  Object.values(asked).some((value) => value !== undefined);

const compiledWith = (model: Model): CompileOptions | undefined =>
  (model as { compiled?: { options: CompileOptions } }).compiled?.options;

function optimizerOf(model: Model, { optimizer, learningRate }: Asked): unknown {
  const rate = learningRate === undefined ? {} : { learning_rate: learningRate };
  if (optimizer !== undefined || !compiledWith(model)) {
    return { class_name: optimizer ?? 'rmsprop', config: rate };
  }
  const { className } = model.optimizer;
  return { class_name: className, config: { ...model.optimizer.getConfig(), ...rate } };
}

/** As the options ask; a model that was compiled stays as it is where they ask for nothing. */
function compile(model: Model, asked: Asked): void {
  const before = compiledWith(model);
  if (before && !isAsked(asked)) return;
  const loss = asked.loss ?? before?.loss;
  if (loss === undefined || loss === null) {
    throw new UsageError(`'${model.name}' was saved without a loss; give one with --loss`);
  }
  const metrics = asked.metrics ?? before?.metrics;
  const options = { ...before, loss, metrics, optimizer: optimizerOf(model, asked) };
  model.compile(options as CompileOptions);
}

const dtypes: { readonly [kind: string]: DType } = { i: 'int32', u: 'int32', b: 'bool' };

function targetsOf(targets: Targets): unknown {
  const made = Object.entries(targets).map(([name, { data, shape, dtype }]) => {
    const numbers = Float64Array.from(data);
    return [name, tensor(numbers, { shape, dtype: dtypes[dtype.charAt(0)] ?? 'float32' })] as const;
  });
  if (!Array.isArray(targets)) return Object.fromEntries(made);
  const list = made.map(([, one]) => one);
  return list.length === 1 ? list[0] : list;
}

function progress(): { callback: ReturnType<typeof callbacks.progressBar>; end(): void } | null {
  if (!process.stderr.isTTY) return null;
  let bar: Progress | undefined;
  const callback = callbacks.progressBar(({ value, max }) => {
    bar ??= new Progress(max ?? 0, 'batches');
    bar.at(value);
  });
  return { callback, end: () => bar?.end() };
}

/** Trains the model with all rows; what `fit` tells of its epochs. */
export async function train(
  model: Model,
  { x, y }: { x: Inputs; y: Targets },
  asked: Asked,
  {
    seed,
    ...settings
  }: Pick<FitOptions, 'epochs' | 'batchSize' | 'validationSplit'> & {
    seed: number | undefined;
  },
): Promise<History['history']> {
  if (readsText(model)) {
    throw new UnsupportedError(
      `'${model.name}' reads text, and such a model is not trained here; save the model behind its TextVectorization, and train that on ids`,
    );
  }
  if (seed !== undefined) await ready({ seed });
  const bar = progress();
  const options = { ...settings, ...(seed !== undefined && { seed }), onNaN: 'stop' } as const;
  try {
    compile(model, asked);
    const { history } = await model.fit(whole(x), targetsOf(y) as never, {
      ...options,
      callbacks: bar ? [bar.callback] : [],
    });
    return history;
  } catch (error) {
    // (Names of losses and metrics are looked up when the outputs are known.)
    if (isAsked(asked) && error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  } finally {
    bar?.end();
  }
}
