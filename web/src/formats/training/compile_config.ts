// SPDX-License-Identifier: MIT
// What a model was compiled with, as Keras writes it into config.json.
import { toSnake } from '../../base/names.js';
import { losses } from '../../measures/measures.gen.js';
import { Metric } from '../../measures/metric.js';
import type { CompileOptions, MeasureConfig } from '../../model/train_options.js';
import { each, isConfig } from '../../training/configurations.js';
import {
  classNamed,
  defaultName,
  isKerasClass,
  isUnwritten,
  type Kind,
  kerasName,
  ownDefaults,
  settingsOfClass,
} from './keras_names.js';
import { pythonName } from '../tree.js';

type Settings = { [setting: string]: unknown };

/** Thrown where a file cannot hold a loss or metric; `what` names it. */
export class Unsaveable {
  constructor(readonly what: string) {}
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Ours of `losses` are new functions with names of their own. */
const nameOfLoss = new Map<unknown, string>(
  Object.entries(losses).map(([name, made]) => [made, name]),
);

/** All settings in Keras's form: those that are missing have their defaults. */
function completed(kind: Kind, className: string, given: Settings): Settings {
  const defaults = { ...settingsOfClass(kind, className), ...ownDefaults[className] };
  const own = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [toSnake(key), value]),
  );
  const { name = defaultName(kind, className), reduction, dtype, ...settings } = own;
  const whole: Settings = { name };
  if (kind === 'loss')
    whole['reduction'] = reduction === undefined ? 'sum_over_batch_size' : reduction;
  else whole['dtype'] = dtype ?? ('dtype' in defaults ? 'int32' : 'float32');
  for (const [key, value] of Object.entries({ ...defaults, ...settings })) {
    if (key === 'dtype' || (isUnwritten(kind, className, key) && same(value, defaults[key]))) {
      continue;
    }
    whole[key] = value;
  }
  return whole;
}

function configOf(kind: Kind, className: string, given: Settings): object {
  const module = kind === 'loss' ? 'keras.losses' : 'keras.metrics';
  const config = completed(kind, className, given);
  if (isKerasClass(kind, className)) {
    return { module, class_name: className, config, registered_name: null };
  }
  // A loss that is no class of metrics: its function, of which the mean is taken.
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

function known(kind: Kind, name: string): string {
  const found = classNamed(name);
  if (found !== undefined && settingsOfClass(kind, found)) return found;
  throw new Unsaveable(`the ${kind} '${name}'`);
}

function nameOf(kind: Kind, name: string): string | object {
  return kerasName(kind, name) ?? configOf(kind, known(kind, name), { name });
}

function functionOf(kind: Kind, f: { readonly name?: string }): never {
  throw new Unsaveable(
    `the ${kind} ${f.name ? `'${f.name}'` : 'that is a function without a name'}`,
  );
}

function serializedOf(kind: Kind, given: unknown): unknown {
  if (given === undefined || given === null) return null;
  if (typeof given === 'string') return nameOf(kind, given);
  if (isConfig(given)) {
    const { class_name: name, config = {} } = given as MeasureConfig;
    return configOf(kind, known(kind, name), config as Settings);
  }
  if (given instanceof Metric) {
    if (!given.kind) return functionOf(kind, given);
    return configOf(kind, known(kind, given.kind), { ...given.settings, name: given.name });
  }
  const ours = kind === 'loss' ? nameOfLoss.get(given) : undefined;
  if (ours !== undefined) return configOf(kind, known(kind, ours), {});
  return functionOf(kind, given as { name?: string });
}

const all = (kind: Kind, given: unknown): unknown =>
  given === undefined || given === null ? null : each(given, (one) => serializedOf(kind, one));

/** In Keras's form and order. Throws {@link Unsaveable} for a loss or metric that is a function of the user's. */
export function compileConfigOf(options: CompileOptions, optimizer: object): Settings {
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
