// SPDX-License-Identifier: MIT
// The constructor argument of a built-in layer on its way into the core.
import { foreignBrand } from '../base/brand.js';
import { optionsOf, refuse, show } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { toCamel, toSnake } from '../base/names.js';
import { checkDepth, LayerReference } from '../engine/config_value.js';
import { native, unwrap } from '../engine/engine.js';
import { isTensorList } from './args.js';
import { replaceFunctions } from './custom_functions.js';
import { Layer } from './layer.js';

/** Names of the settings that wrappers also accept alone, as in Keras. */
const sole: { readonly [className: string]: string } = { RNN: 'cell', StackedRNNCells: 'cells' };

/** Returns the settings of a layer; a wrapper may have received only what it wraps. */
function namedSettings(config: object, className: string): object {
  const list: readonly unknown[] = Array.isArray(config) ? config : [config];
  const isWrapped = list.length > 0 && list.every((item) => item instanceof Layer);
  return isWrapped ? { [sole[className] ?? 'layer']: config } : config;
}

/** First settings in Keras of the classes where the core does not read them first. */
const firsts: { readonly [className: string]: string } = {
  ReLU: 'maxValue',
  SeparableConv1D: 'filters',
};

/** Returns the error of the core for these settings and one that no layer has. */
function complaint(className: string, settings: object): string {
  try {
    return `${unwrap(native().layerCreate(className, toNativeConfig({ ...settings, '?': 0 })))}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the setting that is the first argument in Keras, if this value fits it. */
function positional(className: string, value: unknown): string | undefined {
  // A setting that must be given, or the first one after those that all layers have.
  const name = firsts[className] ?? /(?:zer',|:) '(\w+)'/.exec(complaint(className, {}))?.[1];
  const fits = name && /given|'\?'/.test(complaint(className, { [name]: value }));
  return fits ? toCamel(name) : undefined;
}

/** Returns the settings of a layer. The error for a bare value shows where it belongs. */
function checkedSettings(config: object, className: string): object {
  const what = 'the settings of a layer';
  const isList = Array.isArray(config);
  if (!isList && !/^[bfns]/.test(typeof config)) return optionsOf(config, what);
  const name = positional(className, config);
  const value = isList ? '[2, 1]' : show(config);
  if (name) return refuse(what, `an object, such as { ${name}: ${value} }`, config);
  const factory = className.replace(/^./, (letter) => letter.toLowerCase());
  const call = isTensorList(config) ? `; write layers.${factory}().apply([a, b])` : '';
  return refuse(what, `an object, or left out${call}`, config);
}

/** Converts settings to the config of the core: snake_case keys, layers by reference. @internal */
export function toNativeConfig(config: object, className = ''): { [key: string]: never } {
  const settings = checkedSettings(namedSettings(config, className), className);
  const plain = checkDepth(settings, 'the configuration', (value, key) => {
    if (value instanceof Layer) return new LayerReference(value.handle);
    if (foreignBrand(value)) refuse(`'${key}'`, 'of this copy', value);
    const plain = replaceFunctions(value, key);
    if (typeof plain === 'string' && /activation$/i.test(key)) return toSnake(plain);
    if (typeof plain === 'function') {
      throw new ValueError(`'${key}' is a function; use a Lambda or a custom layer for functions`);
    }
    return plain;
  });
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]) => [toSnake(key), value as never]),
  );
}
