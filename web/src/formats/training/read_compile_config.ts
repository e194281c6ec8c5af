// SPDX-License-Identifier: MIT
// Keras's compile configuration as `compile` takes it.
import { isPlain } from '../../base/check.js';
import { ConfigError, FormatError } from '../../base/errors.js';
import type { MetricName } from '../../measures/names.gen.js';
import type { FileBudget } from '../../model/services.js';
import type { CompileOptions } from '../../model/train_options.js';
import type { Training } from './entry.js';
import { classNamed, type Kind, settingsOfClass } from './keras_names.js';

type Json = { readonly [key: string]: unknown };
type Objects = { readonly [name: string]: unknown };

/** What a configuration of Keras's names: a function of its own or of the user's, or null. */
function functionIn(config: unknown): string | null {
  if (typeof config === 'string') return config;
  const { class_name: name, config: inner } = Object(config) as Json;
  return name === 'function' && typeof inner === 'string' ? inner : null;
}

class Reader {
  constructor(
    readonly objects: Objects,
    readonly training: Training,
    readonly budget: FileBudget,
  ) {}

  /** What the user gives for a name, without the package that it is registered in. */
  given(...names: unknown[]): unknown {
    for (const name of names) {
      if (typeof name !== 'string') continue;
      for (const key of [name, name.slice(name.indexOf('>') + 1)]) {
        if (Object.hasOwn(this.objects, key)) return this.objects[key];
      }
    }
    return undefined;
  }

  unknown(kind: string, name: unknown): never {
    throw new ConfigError(
      `the ${kind} '${String(name)}' is not known here; give it in customObjects: { '${String(name)}': … }`,
    );
  }

  #named(kind: Kind, name: string): string {
    const found = classNamed(name);
    if (/^(crossentropy|ce|acc)$/i.test(name) && !(kind === 'loss' && /^acc$/i.test(name))) {
      return name;
    }
    if (!found || !settingsOfClass(kind, found)) return this.unknown(kind, name);
    return name;
  }

  /** Around a function: a configuration of the class that stands for it. */
  #wrapped(kind: Kind, { fn, dtype: _, ...settings }: Json): unknown {
    const name = functionIn(fn) ?? this.unknown(kind, Object(fn).class_name);
    const given = this.given(name);
    if (typeof given === 'function') {
      const called = settings['name'];
      if (kind === 'loss') return given;
      return new this.training.Metric(
        given as never,
        typeof called === 'string' ? { name: called } : {},
      );
    }
    return { class_name: this.#named(kind, name), config: settings };
  }

  one(kind: Kind, stored: unknown): unknown {
    // (Each has a name of its own to find.)
    this.budget.spend('metrics', 1, 'the compile configuration');
    if (stored === null || stored === undefined) return null;
    const f = functionIn(stored);
    if (f !== null) {
      const given = this.given(f, Object(stored).registered_name);
      return typeof given === 'function' ? given : this.#named(kind, f);
    }
    if (!this.training.isConfig(stored)) {
      throw new ConfigError(
        `a ${kind} is ${describe(stored)}; it has to be a name or a configuration`,
      );
    }
    const {
      class_name: name,
      config = {},
      registered_name: registered,
    } = stored as unknown as Json;
    const given = this.given(registered, name);
    if (typeof given === 'function') return given;
    if (!isPlain(config)) {
      throw new ConfigError(`the configuration of the ${kind} '${name}' is ${describe(config)}`);
    }
    this.budget.spend('thresholds', thresholdsOf(config), `the metric '${name}'`);
    if (/^(LossFunctionWrapper|MeanMetricWrapper)$/.test(name as string)) {
      return this.#wrapped(kind, config);
    }
    return { class_name: this.#named(kind, name as string), config };
  }

  /** Of each output, or of all. */
  all(kind: Kind, stored: unknown): unknown {
    const { each, levels } = this.training;
    return each(stored, levels[kind], (one) => this.one(kind, one));
  }

  optimizer(stored: unknown): unknown {
    if (typeof stored === 'string') return this.given(stored) ?? stored;
    if (!this.training.isConfig(stored)) {
      throw new ConfigError(`the optimizer is ${describe(stored)}; it has to be a configuration`);
    }
    const { class_name: name, registered_name: registered, config } = stored as unknown as Json;
    const given = this.given(registered, name);
    return typeof given === 'function' ? given(config) : stored;
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a dictionary without class_name' : `a ${typeof value}`;
}

/** What Keras takes where nothing is said. */
const kThresholds = 200;

/** How many numbers a metric counts in, for each label where it has several. Other settings than numbers are left to the metric. */
function thresholdsOf(config: Json): number {
  const { thresholds, num_thresholds: count, num_labels: labels, num_classes: classes } = config;
  const own = Array.isArray(thresholds) ? thresholds.length : Number(count ?? kThresholds);
  const cells = typeof classes === 'number' ? classes ** 2 : 0;
  const several = config['multi_label'] === true ? Math.max(1, Number(labels ?? 1)) : 1;
  const all = Math.max(own * several, cells);
  return all > 0 ? all : 0;
}

/** Metrics are made once to see whether all is right with them. */
function checkMetrics(metrics: unknown, training: Training): void {
  const { Metric, isConfig } = training;
  if (isConfig(metrics)) {
    const { dtype: _, ...settings } = (metrics.config ?? {}) as Json;
    new Metric(metrics.class_name as MetricName, settings);
  } else if (Array.isArray(metrics) || isPlain(metrics)) {
    for (const one of Object.values(metrics as object)) checkMetrics(one, training);
  }
}

/** ConfigError that names what is unknown or wrong. */
export function compileOptionsIn(
  stored: unknown,
  objects: Objects,
  training: Training,
  budget: FileBudget,
): CompileOptions {
  if (!isPlain(stored)) {
    throw new FormatError(`compile_config is ${describe(stored)}; it has to be a dictionary`);
  }
  const reader = new Reader(objects, training, budget);
  const metrics = reader.all('metric', stored['metrics']);
  const weightedMetrics = reader.all('metric', stored['weighted_metrics']);
  checkMetrics(metrics, training);
  checkMetrics(weightedMetrics, training);
  return {
    optimizer: reader.optimizer(stored['optimizer']),
    loss: reader.all('loss', stored['loss']),
    lossWeights: stored['loss_weights'] ?? null,
    metrics,
    weightedMetrics,
  } as CompileOptions;
}
