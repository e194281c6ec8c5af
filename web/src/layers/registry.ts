// SPDX-License-Identifier: MIT
// The classes that files and configs may name: registered ones, and those that one load brings with
// it.
import { type Brand, foreignBrand, kBrand } from '../base/brand.js';
import { refuse, checkText, checkOptions } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import type { Layer } from './layer.js';
import { isBuiltin } from './layer_objects.js';

type LayerClass = (new (config: never) => Layer) & { fromConfig?(config: object): Layer };

const custom = new Map<string, LayerClass>();

/** Creates a layer from its config. */
export type Maker = (config: object) => Layer;
let scoped: ReadonlyMap<string, Maker> = new Map();
let made: ((layer: Layer) => void) | undefined;

/** Options of {@link registerLayer}. */
export interface RegisterOptions {
  /** Package of the registered name, before the '>'. Default: 'Custom'. */
  package?: string;
  /** Name of the class in files. Default: that of the class. */
  name?: string;
}

/**
 * Registers a custom class as `package>name` for `deserializeLayer`, `Model.fromConfig` and model
 * files.
 *
 * Throws ValueError if the class does not extend Layer, and ConfigError if it has no name.
 *
 * @param Class A class that extends {@link Layer}.
 */
export function registerLayer(
  Class: new (...args: never[]) => Layer,
  options: RegisterOptions = {},
): void {
  const { prototype } = Object(Class) as { prototype?: { [kBrand]?: Brand } };
  if (prototype?.[kBrand]?.kind !== 'layer' || foreignBrand(prototype)) {
    refuse(
      'the argument of registerLayer',
      'a class that extends Layer',
      foreignBrand(prototype) ? prototype : Class,
    );
  }
  const { name = Class.name, package: group = 'Custom' } = checkOptions(options, {
    package: 1,
    name: 1,
  });
  for (const part of [name, group]) checkText(part, 'the name of a class');
  if (!name)
    throw new ConfigError('the class has no name; give one: registerLayer(Class, { name })');
  custom.set(`${group}>${name}`, Class as unknown as LayerClass);
}

/** Returns the registered name of the layer's class, or null. */
export function registeredNameOf(layer: Layer): string | null {
  for (const [name, Class] of custom) if (layer.constructor === Class) return name;
  return null;
}

/** Returns a registered class by its name without the package. */
function findBare(className: string): LayerClass | undefined {
  for (const [name, Class] of custom) {
    if (name.slice(name.indexOf('>') + 1) === className || Class.name === className) return Class;
  }
  return undefined;
}

/** The names in a layer's serialized form: its own, its class's, and where the class is from. */
export interface LayerNames {
  readonly name?: unknown;
  readonly class_name?: unknown;
  readonly module?: unknown;
  readonly registered_name?: unknown;
}

const kKerasModule = /^(tf_|tensorflow\.(python\.)?)?keras(_core)?(\.|$)/;

/**
 * Returns whether the class is custom. Keras's own classes name a module of Keras, and mostly no
 * registered name.
 */
export function isForeign({ module, registered_name: registered }: LayerNames): boolean {
  if (typeof registered !== 'string')
    return typeof module === 'string' && !kKerasModule.test(module);
  if (registered.includes('>')) return true;
  return typeof module === 'string' ? !kKerasModule.test(module) : module === null;
}

/** Returns whether a config with this class name and module means a registered class. */
export const hasCustom = (className: string, module: unknown): boolean =>
  typeof module !== 'string' && findBare(className) !== undefined;

/** Returns whether the class of a config is registered. */
export function isRegistered({
  class_name: className,
  registered_name: registered,
}: LayerNames): boolean {
  const name = String(className);
  return (
    custom.has(registered as string) || findBare(name.slice(name.indexOf('>') + 1)) !== undefined
  );
}

/**
 * Runs `run` with makers for classes (by registered or bare name) and for single layers (by name).
 *
 * @param complete Called with each layer that JavaScript makes.
 */
export function withMakers<R>(
  makers: ReadonlyMap<string, Maker>,
  run: () => R,
  complete?: (layer: Layer) => void,
): R {
  const before = [scoped, made] as const;
  scoped = makers;
  made = complete;
  try {
    return run();
  } finally {
    [scoped, made] = before;
  }
}

/** Calls `run` with makers beside those of the calls around it. */
export const withMoreMakers = <R>(makers: ReadonlyMap<string, Maker>, run: () => R): R =>
  withMakers(new Map([...(scoped ?? []), ...makers]), run, made);

/** Completes a layer that JavaScript made. */
export const completeMade = (layer: Layer): void => made?.(layer);

/**
 * Returns the function that creates a layer whose class the core does not have; undefined for
 * classes of the core. It looks first in `customObjects`, under each of the layer's names, then for
 * a registered class by its full name. Last, it looks for one by its bare name, unless the config
 * says that the class is Keras's own.
 *
 * Throws ConfigError for an unregistered custom class, also if a built-in has the same name.
 */
export function makerOf(about: LayerNames): Maker | undefined {
  const { name, module, registered_name: registered } = about;
  const className = String(about.class_name);
  const bare = className.slice(className.indexOf('>') + 1);
  for (const key of [name, registered, className, bare]) {
    const maker = scoped.get(key as string);
    if (maker) return maker;
  }
  const foreign = isForeign(about);
  const Class =
    custom.get(registered as string) ??
    (foreign || typeof module !== 'string' || !isBuiltin(bare) ? findBare(bare) : undefined);
  const make = Class?.fromConfig;
  if (make) return (config) => make.call(Class, config);
  if (Class) throw new ConfigError(`the registered class '${className}' has no fromConfig`);
  if (!foreign) return undefined;
  throw new ConfigError(
    `unknown layer class '${registered ?? className}' (module ${module ?? 'not named'}), not one of Keras; write it as a class and call registerLayer`,
    'ERR_UNKNOWN_LAYER',
  );
}
