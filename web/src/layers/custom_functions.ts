// SPDX-License-Identifier: MIT
// Functions as settings of layers: activations, initializers, regularizers, constraints. The core
// and configs know them by an id, files by the name under which they are registered.
import { checkFunction, checkOptions, checkText, isClass, isPlain } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { made } from '../base/maker.js';

type F = (...args: never[]) => unknown;
type Functions = { readonly [name: string]: unknown };

/** A function in a config: Keras's form, and the id. */
interface FunctionConfig {
  readonly module: 'builtins';
  readonly class_name: 'function';
  /** Registered name, or that of the function. */
  readonly config: string;
  readonly registered_name: 'function';
  readonly function_id: string;
}

const functions = new Map<string, F>();
const ids = new WeakMap<F, string>();
const registered = new Map<string, F>();
let scoped: Functions = {};

// Configs may be stored: an id of another program must not be taken for one of this program.
const program = Math.random().toString(36).slice(2);

/** Options of {@link registerFunction}. */
export interface FunctionOptions {
  /** Package of the registered name, before the '>'. Default: 'Custom'. */
  package?: string;
  /** Name of the function in files. Default: that of the function. */
  name?: string;
}

/**
 * Registers a function as `package>name`, so that models whose layers have it as activation,
 * initializer, regularizer or constraint, or that are compiled with it as loss or metric, can be
 * saved and loaded, also in Keras. Register the Python function there with
 * `keras.saving.register_keras_serializable(package, name)`.
 *
 * Throws ValueError if `f` is not a function, and ConfigError if it has no name.
 *
 * @param f Function that layers or `compile` receive.
 */
export function registerFunction(
  f: (...args: never[]) => unknown,
  options?: FunctionOptions,
): void {
  checkFunction(f, 'the argument of registerFunction');
  const { name = f.name, package: group = 'Custom' } = checkOptions(options, {
    package: 1,
    name: 1,
  });
  for (const part of [name, group]) checkText(part, 'the name of a function');
  if (!name) {
    throw new ConfigError('the function has no name; give one: registerFunction(f, { name })');
  }
  registered.set(`${group}>${name}`, f);
}

/** Returns the name under which a function is registered, or null. */
export function registeredFunctionName(f: unknown): string | null {
  for (const [name, item] of registered) if (item === f) return name;
  return null;
}

/** Returns the function that is registered under this name, with its package. */
export const registeredFunction = (name: string): F | undefined => registered.get(name);

/** Returns the config of a function. */
export function functionConfig(f: F): FunctionConfig {
  const id = ids.get(f) ?? `${program}-${functions.size}`;
  functions.set(id, f);
  ids.set(f, id);
  const name = registeredFunctionName(f) ?? f.name;
  return {
    module: 'builtins',
    class_name: 'function',
    config: name,
    registered_name: 'function',
    function_id: id,
  };
}

/** Returns the function that a config stands for; undefined for other values. */
export const functionOf = (config: unknown): F | undefined =>
  functions.get((Object(config) as FunctionConfig).function_id);

/** Returns the function with this id. */
export const functionById = (id: string): F => functions.get(id) as F;

/** Runs `run` with functions that configs may name. */
export function withFunctions<R>(objects: Functions, run: () => R): R {
  const before = scoped;
  scoped = objects;
  try {
    return run();
  } finally {
    scoped = before;
  }
}

/** Returns the function in scope, or registered, with this name; classes do not count. */
function functionNamed(name: string): F | undefined {
  const bare = name.slice(name.indexOf('>') + 1);
  const key = [name, bare].find((item) => Object.hasOwn(scoped, item));
  const f = key === undefined ? registered.get(name) : scoped[key];
  return typeof f === 'function' && !isClass(f) ? (f as F) : undefined;
}

const kSetting = /(activation|initializer|regularizer|constraint)$/i;

/** Replaces functions, and names of functions, in a config. An argument of `checkDepth`. */
export function replaceFunctions(setting: unknown, key: string): unknown {
  if (!kSetting.test(key)) return setting;
  const value = made(setting);
  const isFunction = typeof value === 'function';
  const isObject = Object(value) === value && !isPlain(value) && !Array.isArray(value);
  if (isFunction ? isClass(value) : isObject) {
    throw new ConfigError(`'${key}' cannot be of a class; give a function: (x) => …`);
  }
  if (isFunction) return functionConfig(value as F);
  const { class_name: kind, config, function_id: id, ...rest } = Object(value) as FunctionConfig;
  const name = typeof value === 'string' ? value : kind === 'function' ? config : null;
  if (typeof name !== 'string' || functions.has(id)) return value;
  const f = functionNamed(name);
  if (f) return functionConfig(f);
  return id === undefined ? value : { ...rest, class_name: kind, config };
}
