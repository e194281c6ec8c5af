// SPDX-License-Identifier: MIT
// Settings that are objects: initializers, regularizers, constraints, dtypes.
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

/** Converts `{class_name: 'L2', config}` or `{name: 'WeightRegularizer', l1, l2}`. */
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
  const entry = lookUp(constraints, nameOf(value).toLowerCase().replaceAll('_', ''));
  if (!entry) return value;
  const [className, keys] = entry;
  const config: Json = {};
  for (const [key, item] of Object.entries(settingsOf(value))) {
    const name = lookUp(keys, key);
    if (name) config[name] = item;
  }
  return constraint(className, config);
}

/**
 * Converts an initializer. Keras 2 called the truncated normal distribution of VarianceScaling
 * 'normal'. A user-defined function is only a name; as an object, it is an error only when used.
 */
function toInitializer(value: unknown): unknown {
  if (typeof value === 'string') return { class_name: value, config: {} };
  if (!isRecord(value) || !isRecord(value['config'])) return value;
  const config = { ...value['config'] };
  delete config['dtype'];
  if (config['distribution'] === 'normal') config['distribution'] = 'truncated_normal';
  return { ...value, config };
}

/** Converts a setting to Keras 3's form, by the ending of its name. */
export function toSetting(key: string, value: unknown): unknown {
  if (key.endsWith('regularizer')) return toRegularizer(value);
  if (key.endsWith('constraint')) return toConstraint(value);
  if (key.endsWith('initializer')) return toInitializer(value);
  return value;
}

/** Name of a dtype or dtype policy; undefined for other values. */
export function dtypeName(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return undefined;
  const name = settingsOf(value)['name'] ?? settingsOf(value)['dtype'];
  return typeof name === 'string' ? name : undefined;
}

const floatDtypes = new Set(
  'float16 float32 float64 bfloat16 mixed_float16 mixed_bfloat16'.split(' '),
);

/** Returns whether it is a float dtype or policy; layers compute all of these in float32. */
export const isFloatDtype = (name: string): boolean => floatDtypes.has(name);
