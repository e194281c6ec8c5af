// SPDX-License-Identifier: MIT
// The work of `maskflow train`: compiles a model with the options and calls `fit`.
import { ConfigError, UnsupportedError } from '../src/base/errors.js';
import type { CompileOptions, FitOptions, History } from '../src/model/train_options.js';
import { callbacks, type DType, type Model, ready, tensor } from '../src/train.js';
import { type Inputs, readsText, whole } from './inputs.js';
import type { Targets } from './training_targets.js';
import { Progress } from './progress.js';
import { UsageError } from './usage.js';

/** Options of `compile`; undefined if the command line does not set them. */
export interface CompileArguments {
  loss: string | undefined;
  optimizer: string | undefined;
  learningRate: number | undefined;
  metrics: string[] | undefined;
}

const hasAny = (options: CompileArguments): boolean =>
  Object.values(options).some((value) => value !== undefined);

const compiledWith = (model: Model): CompileOptions | undefined =>
  (model as { compiled?: { options: CompileOptions } }).compiled?.options;

function optimizerOf(model: Model, { optimizer, learningRate }: CompileArguments): unknown {
  const rate = learningRate === undefined ? {} : { learning_rate: learningRate };
  if (optimizer !== undefined || !compiledWith(model)) {
    return { class_name: optimizer ?? 'rmsprop', config: rate };
  }
  const { className } = model.optimizer;
  return { class_name: className, config: { ...model.optimizer.getConfig(), ...rate } };
}

/** Compiles a model with the options. Without options, a compiled model stays as it is. */
function compile(model: Model, options: CompileArguments): void {
  const before = compiledWith(model);
  if (before && !hasAny(options)) return;
  const loss = options.loss ?? before?.loss;
  if (loss === undefined || loss === null) {
    throw new UsageError(`'${model.name}' was saved without a loss; choose one with --loss`);
  }
  const metrics = options.metrics ?? before?.metrics;
  const optimizer = optimizerOf(model, options);
  model.compile({ ...before, loss, metrics, optimizer } as CompileOptions);
}

const dtypes: { readonly [kind: string]: DType } = { i: 'int32', u: 'int32', b: 'bool' };

function targetsOf(targets: Targets): unknown {
  const named = Object.entries(targets).map(([name, { data, shape, dtype }]) => {
    const numbers = Float64Array.from(data);
    return [name, tensor(numbers, { shape, dtype: dtypes[dtype.charAt(0)] ?? 'float32' })] as const;
  });
  if (!Array.isArray(targets)) return Object.fromEntries(named);
  const list = named.map(([, values]) => values);
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

/** Trains the model with all rows. Returns the history of its epochs. */
export async function train(
  model: Model,
  { x, y }: { x: Inputs; y: Targets },
  compileOptions: CompileArguments,
  {
    seed,
    ...settings
  }: Pick<FitOptions, 'epochs' | 'batchSize' | 'validationSplit'> & {
    seed: number | undefined;
  },
): Promise<History['history']> {
  if (readsText(model)) {
    throw new UnsupportedError(
      `'${model.name}' reads text, and such models cannot be trained here; save the model after its TextVectorization, and train that on ids`,
    );
  }
  if (seed !== undefined) await ready({ seed });
  const bar = progress();
  const options = { ...settings, ...(seed !== undefined && { seed }), onNaN: 'stop' } as const;
  try {
    compile(model, compileOptions);
    const { history } = await model.fit(whole(x), targetsOf(y) as never, {
      ...options,
      callbacks: bar ? [bar.callback] : [],
    });
    return history;
  } catch (error) {
    // Explains unknown names of losses and metrics, which are found when the outputs are known.
    if (hasAny(compileOptions) && error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  } finally {
    bar?.end();
  }
}
