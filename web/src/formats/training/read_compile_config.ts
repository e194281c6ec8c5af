// SPDX-License-Identifier: MIT
// Keras's compile configuration as `compile` takes it.
import { isPlain } from '../../base/check.js';
import { ConfigError, FormatError } from '../../base/errors.js';
import { Metric } from '../../measures/metric.js';
import type { MetricName } from '../../measures/names.gen.js';
import type { CompileOptions } from '../../model/train_options.js';
import { isConfig } from '../../training/configurations.js';
import { classNamed, type Kind, settingsOfClass } from './keras_names.js';

type Json = { readonly [key: string]: unknown };
type Objects = { readonly [name: string]: unknown };

const isDictionary = (value: unknown): value is Json => isPlain(value);

/** What a configuration of Keras's names: a function of its own or of the user's, or null. */
function functionIn(config: unknown): string | null {
  if (typeof config === 'string') return config;
  const { class_name: name, config: inner } = Object(config) as Json;
  return name === 'function' && typeof inner === 'string' ? inner : null;
}

class Reader {
  constructor(readonly objects: Objects) {}

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
      return new Metric(given as never, typeof called === 'string' ? { name: called } : {});
    }
    return { class_name: this.#named(kind, name), config: settings };
  }

  one(kind: Kind, stored: unknown): unknown {
    if (stored === null || stored === undefined) return null;
    const f = functionIn(stored);
    if (f !== null) {
      const given = this.given(f, Object(stored).registered_name);
      return typeof given === 'function' ? given : this.#named(kind, f);
    }
    if (!isConfig(stored)) {
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
    if (!isDictionary(config)) {
      throw new ConfigError(`the configuration of the ${kind} '${name}' is ${describe(config)}`);
    }
    if (/^(LossFunctionWrapper|MeanMetricWrapper)$/.test(name as string)) {
      return this.#wrapped(kind, config);
    }
    return { class_name: this.#named(kind, name as string), config };
  }

  /** Of each output, or of all. */
  all(kind: Kind, stored: unknown): unknown {
    if (Array.isArray(stored)) return stored.map((item) => this.all(kind, item));
    if (!isDictionary(stored) || 'class_name' in stored) return this.one(kind, stored);
    return Object.fromEntries(
      Object.entries(stored).map(([output, item]) => [output, this.all(kind, item)]),
    );
  }

  optimizer(stored: unknown): unknown {
    if (typeof stored === 'string') return this.given(stored) ?? stored;
    if (!isConfig(stored)) {
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

/** One for each output, in a list or dictionary. */
function checkWeights(weights: unknown): void {
  if (weights === null || weights === undefined) return;
  const numbers = typeof weights === 'object' ? Object.values(weights) : [weights];
  // (Null is an output without one.)
  const wrong = numbers.find((one) => one !== null && typeof one !== 'number');
  if (wrong === undefined) return;
  throw new ConfigError(`loss_weights has ${JSON.stringify(wrong)}, which is no number`);
}

/** Metrics are made once to see whether all is right with them. */
function checkMetrics(metrics: unknown): void {
  if (Array.isArray(metrics)) return metrics.forEach(checkMetrics);
  if (typeof metrics === 'string' || typeof metrics === 'function') return;
  if (metrics instanceof Metric || !isDictionary(metrics)) return;
  if (!isConfig(metrics)) return Object.values(metrics).forEach(checkMetrics);
  const { dtype: _, ...settings } = (metrics.config ?? {}) as Json;
  new Metric(metrics.class_name as MetricName, settings);
}

/** ConfigError that names what is unknown or wrong. */
export function compileOptionsIn(stored: unknown, objects: Objects): CompileOptions {
  if (!isDictionary(stored)) {
    throw new FormatError(`compile_config is ${describe(stored)}; it has to be a dictionary`);
  }
  const reader = new Reader(objects);
  checkWeights(stored['loss_weights']);
  const metrics = reader.all('metric', stored['metrics']);
  const weightedMetrics = reader.all('metric', stored['weighted_metrics']);
  checkMetrics(metrics);
  checkMetrics(weightedMetrics);
  return {
    optimizer: reader.optimizer(stored['optimizer']),
    loss: reader.all('loss', stored['loss']),
    lossWeights: stored['loss_weights'] ?? null,
    metrics,
    weightedMetrics,
  } as CompileOptions;
}
