// SPDX-License-Identifier: MIT
// The constructor argument of a built-in layer on its way into the core.
import { foreignBrand } from '../base/brand.js';
import { isClass, optionsOf, refuse, show } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import { checkDepth, LayerReference } from '../engine/config_value.js';
import { Service } from '../base/service.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import { isTensor } from '../tensor/tensor.js';
import { isTensorList } from './args.js';
import { replaceFunctions } from './custom_functions.js';
import { Layer } from './layer.js';

/**
 * Returns settings that are accepted under other names; null if there are none. Throws ConfigError
 * for names of Keras 1 and 2, with today's.
 */
export const formerNames = new Service<(className: string, config: object) => object | null>('');

/** Returns the settings of a layer; a wrapper may have received only its first one. */
function namedSettings(config: object, firsts: string): object {
  const list: readonly unknown[] = Array.isArray(config) ? config : [config];
  const isWrapped = list.length > 0 && list.every((item) => item instanceof Layer);
  return isWrapped ? { [firsts]: config } : config;
}

/** Creates a layer of the core. */
export function create(className: string, config: { [key: string]: never }): NativeLayer {
  try {
    return unwrap(native().layerCreate(className, config));
  } catch (error) {
    const renamed = formerNames.supplied?.(className, config);
    if (renamed) return create(className, renamed as never);
    throw error;
  }
}

/** Returns whether a layer can be created with these settings. */
export function creates(className: string, settings: object): boolean {
  try {
    const config = toNativeConfig(settings);
    native()._layer_free(unwrap(native().layerCreate(className, config)));
    return true;
  } catch {
    return false;
  }
}

/** Returns the first of the settings if a layer can be created with the value in each of them. */
function positional(className: string, value: unknown, firsts: string): string | undefined {
  const names = firsts.split(' ');
  const config = Object.fromEntries(names.map((name) => [name, value]));
  return creates(className, config) ? names[0] : undefined;
}

/** Returns the settings of a layer. The error for a bare value shows where it belongs. */
function checkedSettings(config: object, className: string, firsts: string): object {
  const what = 'the settings of a layer';
  const needed = 'an object, or left out';
  const inputs = isTensor(config) ? 'x' : isTensorList(config) ? '[a, b]' : '';
  if (inputs) {
    const factory = className.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^./, (start) => start.toLowerCase());
    const settings = creates(className, {}) ? '' : '{ … }';
    const call = `; write layers.${factory}(${settings}).apply(${inputs})`;
    return refuse(what, needed + call, config);
  }
  const isList = Array.isArray(config);
  if (!isList && !/^[bfns]/.test(typeof config)) return optionsOf(config, what);
  const name = positional(className, config, firsts);
  if (!name && typeof config === 'function') {
    const { name: called } = config as { name: string };
    const call = isClass(config) ? `new ${called}` : `layers.${called}`;
    return refuse(what, `${needed}; write ${call}({ … })`, config);
  }
  if (!name) return refuse(what, needed, config);
  // A value that creates a layer is short.
  const value = isList ? `[${config.slice(0, 4).join(', ')}]` : show(config);
  return refuse(what, `an object, such as { ${name}: ${value} }`, config);
}

/** Converts settings to the config of the core: snake_case keys, layers by reference. @internal */
export function toNativeConfig(
  config: object,
  className = '',
  firsts = '',
): { [key: string]: never } {
  const settings = checkedSettings(namedSettings(config, firsts), className, firsts);
  const plain = checkDepth(settings, 'the configuration', (value, key) => {
    if (value instanceof Layer) {
      if (!/activation$/i.test(key)) return new LayerReference(value.handle);
      const call = '(x) => layer.apply(x)';
      refuse(`'${key}'`, `a name or a function: ${call}; or add the layer behind this one`, value);
    }
    if (foreignBrand(value)) refuse(`'${key}'`, 'of this copy', value);
    const plain = replaceFunctions(value, key);
    if (typeof plain === 'string' && /activation$/i.test(key)) return toSnake(plain);
    if (typeof plain === 'function') {
      throw new ValueError(`'${key}' is a function; call it, or use a Lambda or a custom layer`);
    }
    return plain;
  });
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]) => [toSnake(key), value as never]),
  );
}
