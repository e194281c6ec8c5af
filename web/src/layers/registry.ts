// SPDX-License-Identifier: MIT
import { type Brand, foreignBrand, kBrand } from '../base/brand.js';
import { refuse, checkText, checkOptions } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import type { Layer } from './layer.js';
import { isBuiltin } from './layer_objects.js';

type LayerClass = (new (config: never) => Layer) & { fromConfig?(config: object): Layer };

const custom = new Map<string, LayerClass>();

/** Makes a layer from its configuration. */
export type Maker = (config: object) => Layer;
let scoped: ReadonlyMap<string, Maker> = new Map();

/**
 * Makes a class of your own known to `deserializeLayer`, `Model.fromConfig` and model files, as
 * `package>name`.
 */
export function registerLayer(
  Class: new (...args: never[]) => Layer,
  options: { package?: string; name?: string } = {},
): void {
  const { prototype } = Object(Class) as { prototype?: { [kBrand]?: Brand } };
  if (prototype?.[kBrand]?.kind !== 'layer' || foreignBrand(prototype)) {
    refuse(
      'what is registered',
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

export function registeredNameOf(layer: Layer): string | null {
  for (const [name, Class] of custom) if (layer.constructor === Class) return name;
  return null;
}

/** A registered class by its bare name. */
function findBare(className: string): LayerClass | undefined {
  for (const [name, Class] of custom) {
    if (name.slice(name.indexOf('>') + 1) === className || Class.name === className) return Class;
  }
  return undefined;
}

/** What a configuration says of a layer: names, and whose class it is. */
export interface LayerNames {
  readonly name?: unknown;
  readonly class_name?: unknown;
  readonly module?: unknown;
  readonly registered_name?: unknown;
}

const kKerasModule = /^(tf_|tensorflow\.(python\.)?)?keras(_core)?(\.|$)/;

/** Is the class somebody's own? Keras gives its own ones its module, and mostly no registered name. */
export function isForeign({ module, registered_name: registered }: LayerNames): boolean {
  if (typeof registered !== 'string')
    return typeof module === 'string' && !kKerasModule.test(module);
  if (registered.includes('>')) return true;
  return typeof module === 'string' ? !kKerasModule.test(module) : module === null;
}

/** Is a class of the user's meant by this name, in a configuration that names that module, if any? */
export const hasCustom = (className: string, module: unknown): boolean =>
  typeof module !== 'string' && findBare(className) !== undefined;

/** While `run` runs, these stand for classes (by registered or bare name) and for single layers (by name). */
export function withMakers<R>(makers: ReadonlyMap<string, Maker>, run: () => R): R {
  const before = scoped;
  scoped = makers;
  try {
    return run();
  } finally {
    scoped = before;
  }
}

/**
 * How to make a layer of a class that is not the core's: what `customObjects` has under one of its names, then a registered class
 * under its full name, then one under its bare name, unless the configuration says that the class is Keras's own.
 * ConfigError for somebody's own class that is not known, whatever it is called.
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
  if (make) return (given) => make.call(Class, given);
  if (Class) throw new ConfigError(`the registered class '${className}' has no fromConfig`);
  if (!foreign) return undefined;
  throw new ConfigError(
    `unknown layer class '${registered ?? className}' (module ${module ?? 'not named'}); it is not Keras's: write it as a class and call registerLayer`,
  );
}
