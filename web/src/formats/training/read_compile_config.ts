// SPDX-License-Identifier: MIT
// Converts Keras's compile config to options of `compile`.
import { isPlain } from '../../base/check.js';
import { ConfigError, FormatError } from '../../base/errors.js';
import { registeredFunction } from '../../layers/custom_functions.js';
import type { MetricName } from '../../measures/names.gen.js';
import type { FileBudget } from '../../model/services.js';
import type { CompileOptions } from '../../model/train_options.js';
import type { Training } from './entry.js';
import { classNamed, type Kind, settingsOfClass } from './keras_names.js';

type Json = { readonly [key: string]: unknown };
type Objects = { readonly [name: string]: unknown };

/** Name of the built-in or user-defined function in a config; null if it is not a function. */
function functionIn(config: unknown): string | null {
  if (typeof config === 'string') return config;
  const { class_name: name, config: inner } = Object(config) as Json;
  return name === 'function' && typeof inner === 'string' ? inner : null;
}

/** Converts losses, metrics and the optimizer of a compile config. */
class Reader {
  constructor(
    readonly objects: Objects,
    readonly training: Training,
    readonly budget: FileBudget,
  ) {}

  /**
   * The custom object for one of these names, with or without the package of the name, or the
   * function registered under it.
   */
  customObject(...names: unknown[]): unknown {
    for (const name of names) {
      if (typeof name !== 'string') continue;
      for (const key of [name, name.slice(name.indexOf('>') + 1)]) {
        if (Object.hasOwn(this.objects, key)) return this.objects[key];
      }
      const registered = registeredFunction(name);
      if (registered) return registered;
    }
    return undefined;
  }

  unknown(kind: string, name: unknown): never {
    throw new ConfigError(
      `unknown ${kind} '${String(name)}'; pass it in customObjects: { '${String(name)}': … }`,
      'ERR_CUSTOM_OBJECTS',
    );
  }

  #checkName(kind: Kind, name: string): string {
    const className = classNamed(name);
    if (/^(crossentropy|ce|acc)$/i.test(name) && !(kind === 'loss' && /^acc$/i.test(name))) {
      return name;
    }
    if (!className || !settingsOfClass(kind, className)) return this.unknown(kind, name);
    return name;
  }

  /** Converts a wrapper of a function to the config of the function's class. */
  #unwrap(kind: Kind, { fn, dtype: _, ...settings }: Json): unknown {
    const name = functionIn(fn) ?? this.unknown(kind, Object(fn).class_name);
    const custom = this.customObject(name);
    if (typeof custom === 'function') {
      const metricName = settings['name'];
      if (kind === 'loss') return custom;
      return new this.training.Metric(
        custom as never,
        typeof metricName === 'string' ? { name: metricName } : {},
      );
    }
    return { class_name: this.#checkName(kind, name), config: settings };
  }

  /** Converts a loss or metric. */
  convert(kind: Kind, stored: unknown): unknown {
    this.budget.spend('metrics', 1, 'the compile config');
    if (stored === null || stored === undefined) return null;
    const functionName = functionIn(stored);
    if (functionName !== null) {
      const custom = this.customObject(functionName, Object(stored).registered_name);
      return typeof custom === 'function' ? custom : this.#checkName(kind, functionName);
    }
    if (!this.training.isConfig(stored)) {
      throw new ConfigError(`a ${kind} is ${describe(stored)} but must be a name or a config`);
    }
    const {
      class_name: name,
      config = {},
      registered_name: registered,
    } = stored as unknown as Json;
    const custom = this.customObject(registered, name);
    if (typeof custom === 'function') return custom;
    if (!isPlain(config)) {
      throw new ConfigError(
        `the config of the ${kind} '${name}' is ${describe(config)} but must be a dictionary`,
      );
    }
    this.budget.spend('thresholds', thresholdsOf(config), `the metric '${name}'`);
    if (/^(LossFunctionWrapper|MeanMetricWrapper)$/.test(name as string)) {
      return this.#unwrap(kind, config);
    }
    return { class_name: this.#checkName(kind, name as string), config };
  }

  /** Converts the losses or metrics of each output, or of all outputs. */
  convertAll(kind: Kind, stored: unknown): unknown {
    const { mapChoices, levels } = this.training;
    return mapChoices(stored, levels[kind], (measure) => this.convert(kind, measure));
  }

  optimizer(stored: unknown): unknown {
    if (typeof stored === 'string') return this.customObject(stored) ?? stored;
    if (!this.training.isConfig(stored)) {
      throw new ConfigError(`the optimizer is ${describe(stored)} but must be a config`);
    }
    const { class_name: name, registered_name: registered, config } = stored as unknown as Json;
    const custom = this.customObject(registered, name);
    return typeof custom === 'function' ? custom(config) : stored;
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a dictionary without class_name' : `a ${typeof value}`;
}

/** Keras's default number of thresholds. */
const kThresholds = 200;

/** Size of a metric's state: thresholds of all labels, or cells. Ignores invalid settings. */
function thresholdsOf(config: Json): number {
  const { thresholds, num_thresholds: count, num_labels: labels, num_classes: classes } = config;
  const perLabel = Array.isArray(thresholds) ? thresholds.length : Number(count ?? kThresholds);
  const cells = typeof classes === 'number' ? classes ** 2 : 0;
  const labelCount = config['multi_label'] === true ? Math.max(1, Number(labels ?? 1)) : 1;
  const size = Math.max(perLabel * labelCount, cells);
  // biome-ignore lint/complexity/useMathMinMax: NaN, from settings that are not numbers, becomes 0.
  return size > 0 ? size : 0;
}

/** Creates each metric once to check its settings. */
function checkMetrics(metrics: unknown, training: Training): void {
  const { Metric, isConfig } = training;
  if (isConfig(metrics)) {
    const { dtype: _, ...settings } = (metrics.config ?? {}) as Json;
    new Metric(metrics.class_name as MetricName, settings);
  } else if (Array.isArray(metrics) || isPlain(metrics)) {
    for (const metric of Object.values(metrics as object)) checkMetrics(metric, training);
  }
}

/** Converts a compile config. ConfigError that names what is unknown or invalid. */
export function compileOptionsIn(
  stored: unknown,
  objects: Objects,
  training: Training,
  budget: FileBudget,
): CompileOptions {
  if (!isPlain(stored)) {
    throw new FormatError(`compile_config is ${describe(stored)} but must be a dictionary`);
  }
  const reader = new Reader(objects, training, budget);
  const metrics = reader.convertAll('metric', stored['metrics']);
  const weightedMetrics = reader.convertAll('metric', stored['weighted_metrics']);
  checkMetrics(metrics, training);
  checkMetrics(weightedMetrics, training);
  return {
    optimizer: reader.optimizer(stored['optimizer']),
    loss: reader.convertAll('loss', stored['loss']),
    lossWeights: stored['loss_weights'] ?? null,
    metrics,
    weightedMetrics,
  } as CompileOptions;
}
