// SPDX-License-Identifier: MIT
// Writes compile options in the form of Keras's `config.json`.
import { toSnake } from '../../base/names.js';
import { registeredFunctionName } from '../../layers/custom_functions.js';
import type { CompileOptions, MeasureConfig } from '../../model/train_options.js';
import type { Training } from './entry.js';
import {
  classNamed,
  defaultName,
  isKerasClass,
  isUnwritten,
  type Kind,
  kerasName,
  kerasDefaults,
  settingsOfClass,
} from './keras_names.js';
import { pythonName } from '../member_names.js';

type Settings = { [setting: string]: unknown };

/** Thrown for a loss or metric that cannot be saved; `what` is its name. */
export class Unsaveable {
  constructor(readonly what: string) {}
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Converts settings to Keras's form, with defaults for those that are missing. */
function completeSettings(kind: Kind, className: string, options: Settings): Settings {
  const defaults = { ...settingsOfClass(kind, className), ...kerasDefaults[className] };
  const converted = Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [toSnake(key), value]),
  );
  const { name = defaultName(kind, className), reduction, dtype, ...settings } = converted;
  const result: Settings = { name };
  if (kind === 'loss')
    result['reduction'] = reduction === undefined ? 'sum_over_batch_size' : reduction;
  else result['dtype'] = dtype ?? ('dtype' in defaults ? 'int32' : 'float32');
  for (const [key, value] of Object.entries({ ...defaults, ...settings })) {
    if (key === 'dtype' || (isUnwritten(kind, className, key) && isEqual(value, defaults[key]))) {
      continue;
    }
    result[key] = value;
  }
  return result;
}

function configOf(kind: Kind, className: string, options: Settings): object {
  const module = kind === 'loss' ? 'keras.losses' : 'keras.metrics';
  const config = completeSettings(kind, className, options);
  if (isKerasClass(kind, className)) {
    return { module, class_name: className, config, registered_name: null };
  }
  // A loss without a metric class becomes the mean of its function.
  const name = pythonName(className);
  const fn = {
    module: 'keras.losses',
    class_name: 'function',
    config: name,
    registered_name: name,
  };
  return {
    module,
    class_name: 'MeanMetricWrapper',
    config: { ...config, fn },
    registered_name: null,
  };
}

/** Finds the class for a name; throws Unsaveable for an unknown one. */
function findClass(kind: Kind, name: string): string {
  const className = classNamed(name);
  if (className !== undefined && settingsOfClass(kind, className)) return className;
  throw new Unsaveable(`the ${kind} '${name}'`);
}

function nameOf(kind: Kind, name: string): string | object {
  return kerasName(kind, name) ?? configOf(kind, findClass(kind, name), { name });
}

function refuseFunction(kind: Kind, value: { readonly name?: string }): never {
  throw new Unsaveable(`the ${kind} ${value.name ? `'${value.name}'` : 'without a name'}`);
}

function serialize(kind: Kind, choice: unknown, training: Training): unknown {
  const measure = training.lossConfigOf(choice) ?? choice;
  if (measure === undefined || measure === null) return null;
  if (typeof measure === 'string') return nameOf(kind, measure);
  if (training.isConfig(measure)) {
    const { class_name: name, config = {} } = measure as MeasureConfig;
    return configOf(kind, findClass(kind, name), config as Settings);
  }
  if (measure instanceof training.Metric) {
    if (!measure.kind) return refuseFunction(kind, measure);
    const settings = { ...measure.settings, name: measure.name };
    return configOf(kind, findClass(kind, measure.kind), settings);
  }
  const builtin = Object.entries(training.losses).find(
    ([, loss]) => kind === 'loss' && loss === measure,
  );
  if (builtin) return configOf(kind, findClass(kind, builtin[0]), {});
  const name = registeredFunctionName(measure);
  if (name !== null) {
    return {
      module: 'builtins',
      class_name: 'function',
      config: name,
      registered_name: 'function',
    };
  }
  return refuseFunction(kind, measure as { name?: string });
}

/**
 * The compile config in Keras's form and order. Throws {@link Unsaveable} for a loss or metric that
 * is a user-defined function without a registered name.
 */
export function compileConfigOf(
  options: CompileOptions,
  optimizer: object,
  training: Training,
): Settings {
  const { mapChoices, levels } = training;
  const all = (kind: Kind, measures: unknown): unknown =>
    measures === undefined || measures === null
      ? null
      : mapChoices(measures, levels[kind], (measure) => serialize(kind, measure, training));
  return {
    optimizer,
    loss: all('loss', options.loss),
    loss_weights: options.lossWeights ?? null,
    metrics: all('metric', options.metrics),
    weighted_metrics: all('metric', options.weightedMetrics),
    run_eagerly: false,
    steps_per_execution: 1,
    jit_compile: false,
  };
}
