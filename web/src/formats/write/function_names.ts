// SPDX-License-Identifier: MIT
// Functions in the config of a saved model: files name them by their registered names.
import { ConfigError, UnsupportedError } from '../../base/errors.js';
import { functionOf, registeredFunctionName } from '../../layers/custom_functions.js';
import { isRecord } from '../json.js';

/**
 * Returns a config in which functions have Keras's form. Throws ConfigError, with the line to
 * write, for a function that is not registered, and UnsupportedError if `refuses` is set.
 *
 * @param layer Name of the layer of this config.
 */
export function withFunctionNames<T>(config: T, refuses: boolean, layer = ''): T {
  const visit = (value: unknown, setting: string, owner: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, setting, owner));
    if (!isRecord(value)) return value;
    const f = functionOf(value);
    if (f) return named(f, `'${setting}' of layer '${owner}'`, refuses);
    const name = typeof value['name'] === 'string' ? value['name'] : owner;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, visit(item, key, name)]),
    );
  };
  return visit(config, '', layer) as T;
}

function named(f: (...args: never[]) => unknown, place: string, refuses: boolean): object {
  if (refuses) {
    throw new UnsupportedError(
      `${place} is a function, which TensorFlow.js cannot read; save as .keras`,
    );
  }
  const config = registeredFunctionName(f);
  if (!config) {
    const isIdentifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(f.name);
    const [variable, name] = isIdentifier ? [f.name, f.name] : ['f', 'my_function'];
    const line = `registerFunction(${variable}, { package: 'Custom', name: '${name}' })`;
    throw new ConfigError(
      `${place} is a function that is not registered, so it could not be loaded again; first call ${line}, where ${variable} is the function`,
    );
  }
  return { module: 'builtins', class_name: 'function', config, registered_name: 'function' };
}
