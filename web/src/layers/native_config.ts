// SPDX-License-Identifier: MIT
// The constructor argument of a built-in layer on its way into the core.
import { foreignBrand } from '../base/brand.js';
import { layerSettings, refuse } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import { checkDepth, LayerReference } from '../engine/config_value.js';
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

/** Converts settings to the config of the core: snake_case keys, layers by reference. @internal */
export function toNativeConfig(config: object, className = ''): { [key: string]: never } {
  const settings = layerSettings(namedSettings(config, className), className);
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
