// SPDX-License-Identifier: MIT
// Settings that are objects of their own: initializers, regularizers, constraints, dtypes.
import { isRecord, type Json, lookUp, textOf } from '../json.js';

const classes = (module: string) => (className: string, config: Json) => ({
  module: `keras.${module}`,
  class_name: className,
  config,
  registered_name: null,
});
const regularizer = classes('regularizers');
const constraint = classes('constraints');

const settingsOf = (value: Json): Json => (isRecord(value['config']) ? value['config'] : value);
const nameOf = (value: Json): string => textOf(value['class_name'] ?? value['name']);

/** `{class_name: 'L2', config}`, `{name: 'WeightRegularizer', l1, l2}` and the like; what is unknown stays. */
function toRegularizer(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { l1 = 0, l2 = 0 } = settingsOf(value);
  switch (nameOf(value).toLowerCase()) {
    case 'l1':
      return regularizer('L1', { l1 });
    case 'l2':
      return regularizer('L2', { l2 });
    case 'l1l2':
    case 'l1_l2':
    case 'weightregularizer':
    case 'activityregularizer':
    case 'l1l2regularizer':
      return regularizer('L1L2', { l1, l2 });
    default:
      return value;
  }
}

const constraints: { [name: string]: [string, { [from: string]: string }] } = {
  maxnorm: ['MaxNorm', { m: 'max_value', max_value: 'max_value', axis: 'axis' }],
  minmaxnorm: [
    'MinMaxNorm',
    {
      low: 'min_value',
      high: 'max_value',
      min_value: 'min_value',
      max_value: 'max_value',
      rate: 'rate',
      axis: 'axis',
    },
  ],
  unitnorm: ['UnitNorm', { axis: 'axis' }],
  nonneg: ['NonNeg', {}],
};

function toConstraint(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const known = lookUp(constraints, nameOf(value).toLowerCase().replaceAll('_', ''));
  if (!known) return value;
  const [className, keys] = known;
  const config: Json = {};
  for (const [key, item] of Object.entries(settingsOf(value))) {
    const name = lookUp(keys, key);
    if (name) config[name] = item;
  }
  return constraint(className, config);
}

// Keras 2 spelt the truncated normal distribution of VarianceScaling 'normal'.
// A function of somebody's own is a bare name: as an object it is an error only when it has to give a value.
function toInitializer(value: unknown): unknown {
  if (typeof value === 'string') return { class_name: value, config: {} };
  if (!isRecord(value) || !isRecord(value['config'])) return value;
  const config = { ...value['config'] };
  delete config['dtype'];
  if (config['distribution'] === 'normal') config['distribution'] = 'truncated_normal';
  return { ...value, config };
}

/** A setting by its name's ending, in Keras 3's form. */
export function toSetting(key: string, value: unknown): unknown {
  if (key.endsWith('regularizer')) return toRegularizer(value);
  if (key.endsWith('constraint')) return toConstraint(value);
  if (key.endsWith('initializer')) return toInitializer(value);
  return value;
}

/** The name of a dtype or dtype policy. */
export function dtypeName(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return undefined;
  const name = settingsOf(value)['name'] ?? settingsOf(value)['dtype'];
  return typeof name === 'string' ? name : undefined;
}

const reals = new Set('float16 float32 float64 bfloat16 mixed_float16 mixed_bfloat16'.split(' '));

/** Is this one of the dtypes for which layers here compute in float32? */
export const isReal = (name: string): boolean => reals.has(name);
