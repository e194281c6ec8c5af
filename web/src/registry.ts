// SPDX-License-Identifier: MIT
import { native, unwrap } from './engine.js';
import { ConfigError } from './errors.js';
import type { Layer } from './layer.js';
import type { NativeLayer } from './native.js';

/** A handle that is there already, in place of a configuration. @internal */
export class Prepared {
  constructor(readonly handle: NativeLayer) {}
}

type LayerClass = (new (config: never) => Layer) & { fromConfig?(config: object): Layer };

const living = new Map<number, { deref(): Layer | undefined }>();
const wrappers = new Map<string, (prepared: Prepared) => Layer>();
const custom = new Map<string, LayerClass>();

/** Makes a layer from its configuration. */
export type Maker = (config: object) => Layer;
let scoped: ReadonlyMap<string, Maker> = new Map();

export function remember(id: number, layer: Layer): void {
  // Some engines (workerd's) have no weak references by default: layers stay, there.
  living.set(id, typeof WeakRef === 'undefined' ? { deref: () => layer } : new WeakRef(layer));
}

export function layerById(id: number): Layer | undefined {
  const layer = living.get(id)?.deref();
  if (!layer) living.delete(id);
  return layer;
}

/** Which class wraps the core's layers of this name. */
export function wrapWith(className: string, wrap: (prepared: Prepared) => Layer): void {
  wrappers.set(className, wrap);
}

/** Has the core a class of this name? Known once it is `ready`. */
export const isBuiltin = (className: string): boolean => wrappers.has(className);

/** The one layer object for a handle, which it takes over. */
export function layerOf(handle: NativeLayer): Layer {
  const { id, className } = unwrap(native().layerInfo(handle));
  const known = layerById(id);
  if (known) {
    handle.delete();
    return known;
  }
  const wrap = wrappers.get(className) ?? wrappers.get('');
  return (wrap as (prepared: Prepared) => Layer)(new Prepared(handle));
}

/**
 * Makes a class of your own known to `deserializeLayer`, `Model.fromConfig` and model files, as
 * `package>name`.
 */
export function registerLayer(
  Class: new (...args: never[]) => Layer,
  options: { package?: string; name?: string } = {},
): void {
  const name = options.name ?? Class.name;
  if (!name)
    throw new ConfigError('the class has no name; give one: registerLayer(Class, { name })');
  custom.set(`${options.package ?? 'Custom'}>${name}`, Class as unknown as LayerClass);
}

export function registeredNameOf(layer: Layer): string | null {
  for (const [name, Class] of custom) if (layer.constructor === Class) return name;
  return null;
}

/** A registered class by its full name, or by its bare one. */
function findCustom(className: string, registeredName: string | null): LayerClass | undefined {
  if (registeredName) {
    const exact = custom.get(registeredName);
    if (exact) return exact;
  }
  for (const [name, Class] of custom) {
    if (name.slice(name.indexOf('>') + 1) === className || Class.name === className) return Class;
  }
  return undefined;
}

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

/** How to make a layer that the core does not know. */
export function makerOf(
  className: string,
  registeredName: string | null,
  config: object,
): Maker | undefined {
  const { name } = config as { name?: string };
  const bare = className.slice(className.indexOf('>') + 1);
  for (const key of [name, registeredName, className, bare]) {
    const maker = scoped.get(key ?? '');
    if (maker) return maker;
  }
  const Class = findCustom(className, registeredName);
  const make = Class?.fromConfig;
  if (!Class || make) return make && ((given) => make.call(Class, given));
  throw new ConfigError(`the registered class '${className}' has no fromConfig`);
}
