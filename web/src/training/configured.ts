// SPDX-License-Identifier: MIT
// Converts settings of optimizers, schedules and constraints for the core.
import { optionsOf } from '../base/check.js';
import { toSnake } from '../base/names.js';
import { type ConfigValue, settingsOf } from '../engine/config_value.js';
import { native, unwrap } from '../engine/engine.js';
import { checkSettings } from './numbers.js';
import { ConfigError, StateError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { NativeConfigured, NativeModule } from '../engine/native.js';

/** A serialized object in Keras's form. */
export type Configured = NativeConfigured;

/** A learning rate that depends on the step: one of `schedules`, or a Keras config. */
export interface Schedule extends Configured {
  /** Returns the learning rate at a step; the first is 0. */
  readonly at: (step: number) => number;
}

/** A learning rate: a number, a schedule or its config, or a function of the step (from 0). */
export type LearningRate =
  | number
  | Schedule
  | { class_name: string; config?: object }
  | ((step: number) => number);

/** A constraint of a weight after each step: `kernelConstraint: constraints.maxNorm()`. */
export interface Constraint extends Configured {}

/** Returns the core. Throws StateError if another entry has started one without training. */
export function trainingCore(): NativeModule {
  const core = native();
  if (typeof core.configurableNormalize === 'function') return core;
  throw new StateError(
    'training needs another module than the running one; call ready() of maskflow/train before that of other entries',
  );
}

/** Returns Keras's name of a setting: beta_1 for beta1. */
const settingName = (name: string): string => toSnake(name).replace(/(beta|epsilon)(?=\d)/g, '$1_');

type Converted = { config: ConfigValue; rate?: ((step: number) => number) | null } | undefined;

/**
 * Returns settings under Keras's names. A function for the learning rate, also that of an inner
 * optimizer, is returned separately as `rate`.
 *
 * @param convert Converts objects among the settings; undefined for other values.
 */
export function settingsWith(
  className: string,
  settings: object,
  convert: (value: unknown) => Converted,
): { config: { [key: string]: ConfigValue }; rate: ((step: number) => number) | null } {
  const plain: { [key: string]: unknown } = {};
  let rate: ((step: number) => number) | null = null;
  for (const [name, value] of Object.entries(optionsOf(settings, 'the settings'))) {
    const key = settingName(name);
    if (key === 'lr') throw new ConfigError(`${className} has no setting 'lr'; write learningRate`);
    if (key === 'decay' && value) {
      warn(
        `${className} ignores decay, as in Keras 3; write learningRate: schedules.inverseTimeDecay(…)`,
      );
    }
    const converted = convert(value);
    if (converted) rate = converted.rate ?? rate;
    if (key === 'learning_rate' && typeof value === 'function') {
      rate = value as (step: number) => number;
    } else {
      plain[key] = converted?.config ?? value;
    }
  }
  const config = settingsOf(plain);
  checkSettings(config, className);
  return { config, rate };
}

const kinds = { schedule: 1, constraint: 2 } as const;

/** Returns all settings as plain data. Throws ConfigError for an unknown or invalid one. */
export function configured(
  kind: keyof typeof kinds,
  className: string,
  settings: object = {},
): Configured {
  const { config } = settingsWith(className, settings, () => undefined);
  return unwrap(
    trainingCore().configurableNormalize(kinds[kind], { class_name: className, config }),
  );
}
