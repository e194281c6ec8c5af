// SPDX-License-Identifier: MIT
import { foreignBrand } from '../base/brand.js';
import { layerSettings, refuse } from '../base/check.js';
import { ValueError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import { checkDepth, LayerReference } from '../engine/config_value.js';
import { Layer } from './layer.js';

/** Converts settings to the config of the core: snake_case keys, layers by reference. @internal */
export function toNativeConfig(config: object, className = ''): { [key: string]: never } {
  const plain = checkDepth(layerSettings(config, className), 'the configuration', (value, key) => {
    if (value instanceof Layer) return new LayerReference(value.handle);
    if (typeof value === 'string' && /activation$/i.test(key)) return toSnake(value);
    if (typeof value === 'function') {
      throw new ValueError(`'${key}' is a function; use a Lambda or a custom layer for functions`);
    }
    if (foreignBrand(value)) refuse(`'${key}'`, 'of this copy', value);
    return value;
  });
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]) => [toSnake(key), value as never]),
  );
}
