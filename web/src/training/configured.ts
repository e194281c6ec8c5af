// SPDX-License-Identifier: MIT
// Settings of optimizers, schedules and constraints on their way to the core and back.
import { optionsOf } from '../base/check.js';
import { toSnake } from '../base/names.js';
import { type ConfigValue, settingsOf } from '../engine/config_value.js';
import { native, unwrap } from '../engine/engine.js';
import { checkSettings } from './numbers.js';
import type { NativeConfigured } from '../engine/native.js';

/** A serialized object of Keras's. */
export type Configured = NativeConfigured;

/** A function of the step for a learning rate; one of `schedules`, or a configuration of Keras's. */
export interface Schedule extends Configured {
  /** The rate at a step; the first is 0. */
  readonly at: (step: number) => number;
}

/** A number, a schedule or its configuration, or a function of the step. The first step is 0. */
export type LearningRate =
  | number
  | Schedule
  | { class_name: string; config?: object }
  | ((step: number) => number);

/** What a weight must fulfil after each step, as layers take it: `kernelConstraint: constraints.maxNorm()`. */
export interface Constraint extends Configured {}

/** Keras's name of a setting: beta1 is beta_1. */
const settingName = (name: string): string => toSnake(name).replace(/(beta|epsilon)(?=\d)/g, '$1_');

type Converted = { config: ConfigValue; rate?: ((step: number) => number) | null } | undefined;

/**
 * Settings of `className` under Keras's names. A function for the learning rate is apart, and so is that of an optimizer
 * inside.
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

/** Plain data with all settings; ConfigError for one that cannot be. */
export function configured(
  kind: keyof typeof kinds,
  className: string,
  settings: object = {},
): Configured {
  const { config } = settingsWith(className, settings, () => undefined);
  return unwrap(native().configurableNormalize(kinds[kind], { class_name: className, config }));
}
