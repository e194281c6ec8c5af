// SPDX-License-Identifier: MIT
// Classes of Keras and sklearn that pickles contain, and that exist here.
import type { Attributes } from '../formats/pickle/pickled_classes.js';
import { LabelEncoder } from './label_encoder.js';
import { maxAbs, minMax, robust, standard } from './sklearn_scalers.js';
import { Tokenizer } from './tokenizer.js';

type Make = (attributes: Attributes) => object;

/** Returns an attribute unless a setting says that the scaler does not use it. */
const usedIf = (attributes: Attributes, setting: string, name: string): never =>
  (attributes.get(setting) === false ? null : attributes.get(name)) as never;

const makers: { readonly [className: string]: Make } = {
  StandardScaler: (attributes) =>
    standard({
      mean: usedIf(attributes, 'with_mean', 'mean_'),
      scale: usedIf(attributes, 'with_std', 'scale_'),
    }),
  MinMaxScaler: (attributes) =>
    minMax({
      min: attributes.get('min_') as never,
      scale: attributes.get('scale_') as never,
      clip: attributes.get('clip') === true ? (attributes.get('feature_range') as never) : null,
    }),
  RobustScaler: (attributes) =>
    robust({
      center: usedIf(attributes, 'with_centering', 'center_'),
      scale: usedIf(attributes, 'with_scaling', 'scale_'),
    }),
  MaxAbsScaler: (attributes) => maxAbs({ scale: attributes.get('scale_') as never }),
  LabelEncoder: (attributes) => new LabelEncoder({ classes: attributes.get('classes_') as never }),
};

/** Attribute that a fitted object has. */
const fitted = /^(scale|mean|center|classes)_$/;

/** Returns the object for a class of Keras or sklearn; undefined for others, and before `fit`. */
export function pythonObject(className: string, attributes: Attributes): object | undefined {
  if (/keras.*\.text\.Tokenizer$/.test(className))
    return Tokenizer.fromAttributes(Object.fromEntries(attributes));
  const [, name = ''] = /^sklearn\.preprocessing\.\w+\.(\w+)$/.exec(className) ?? [];
  if (!Object.hasOwn(makers, name)) return undefined;
  const isFitted = [...attributes.keys()].some((each) => fitted.test(each));
  return isFitted ? makers[name]?.(attributes) : undefined;
}
