// SPDX-License-Identifier: MIT
// Settings and weights of the core's layers as properties, by the names in their configs.
import { define } from '../base/define.js';
import { StateError } from '../base/errors.js';
import { toCamel } from '../base/names.js';
import { native, unwrap } from '../engine/engine.js';
import type { ConfigValue } from '../engine/config_value.js';
import type { NativeLayer } from '../engine/native.js';
import { functionOf } from './custom_functions.js';
import type { Layer, LayerConfig, Shape } from './layer.js';
import { infoOf, weightsOf } from './layer_values.js';
import { layerClasses } from './layer_objects.js';
import { toNativeConfig } from './native_config.js';
import type { Variable } from './variable.js';

/** Settings that are layers, which have getters of their own. */
type Inner = 'layer' | 'backwardLayer' | 'cell' | 'cells';
/** Settings that are also members of `Layer`; the generated classes declare them again. */
type InLayer = 'outputSize' | 'stateful';
/** The settings in `Config` as properties of a layer. Assigning one changes the layer. */
export type SettingsOf<Config> = Required<Omit<Config, keyof LayerConfig | Inner | InLayer>>;
/** Weights by Keras's names, and null where the layer has none. They need `maskflow/train`. */
export type WeightsOf<Names extends string> = { [Name in Names]: Variable | null };

type Settings = { [key: string]: ConfigValue };

const declared = new Set<string>();
const kInner = /^(cells?|(.*_)?layer)$/;
// Settings that are properties of all layers.
const kCommon = /^(name|trainable|dtype|weights)$/;

const configOf = ({ handle }: Layer): Settings =>
  unwrap(native().layerGetConfig(handle)) as Settings;

/** Declares the properties of a class, once, with the first layer of the class. */
export function declareSettings(layer: Layer, className: string): void {
  const prototype = layerClasses.supplied?.get(className)?.prototype as object | undefined;
  if (!prototype || declared.has(className)) return;
  declared.add(className);
  for (const key of Object.keys(configOf(layer))) {
    if (kCommon.test(key) || kInner.test(key)) continue;
    Object.defineProperty(prototype, toCamel(key), {
      configurable: true,
      get(this: Layer) {
        const value = configOf(this)[key];
        return functionOf(value) ?? value ?? (this as Adapted).adapted?.(key) ?? null;
      },
      set(this: Layer, value: unknown) {
        change(this, className, key, value);
      },
    });
    if (key.endsWith('_initializer')) declareWeight(prototype, key.slice(0, -12));
  }
}

/** A layer with numbers from `adapt`, which are not settings. */
type Adapted = Layer & { adapted?(key: string): unknown };

/** Changes a setting. An error changes nothing. */
function change(layer: Layer, className: string, key: string, value: unknown): void {
  const before = configOf(layer);
  const after = { ...before, ...(toNativeConfig({ [key]: value }) as Settings) };
  const name = `'${toCamel(key)}' of ${className} '${layer.name}'`;
  if (Object.keys(before).some((setting) => kInner.test(setting))) {
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    throw new StateError(`${name} cannot be changed; make a new ${className}`);
  }
  const copy = unwrap(native().layerCreate(className, after));
  try {
    if (!fits(copy, layer)) {
      throw new StateError(
        `${name} cannot be changed, because the weights exist and others are needed; set it before the layer is built, or make a new ${className}`,
      );
    }
  } finally {
    native()._layer_free(copy);
  }
  unwrap(native().layerSet(layer.handle, { config: after }));
}

/** Returns whether the weights of a layer are those that its copy with other settings has. */
function fits(copy: NativeLayer, layer: Layer): boolean {
  const shapesOf = (handle: NativeLayer) =>
    JSON.stringify(weightsOf({ handle }).map(({ shape }) => shape));
  if (!infoOf(layer).built || weightsOf(layer).length === 0) return true;
  const { build_config: built } = layer.toJSON() as { build_config?: { input_shape: Shape } };
  if (!built) return false;
  unwrap(native().layerBuild(copy, [built.input_shape as never]));
  return shapesOf(copy) === shapesOf(layer.handle);
}

/** Declares the weight that an initializer is for: `kernel`, or `recurrent_kernel`. */
function declareWeight(prototype: object, stem: string): void {
  const key = /^(recurrent|depthwise|pointwise)$/.test(stem) ? `${stem}_kernel` : stem;
  const name = toCamel(key);
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: Layer): Variable | null {
      const all = [...this.trainableVariables, ...this.nonTrainableVariables];
      const [found, another] = all.filter((variable) => variable.name === key);
      return another ? null : (found ?? null);
    },
    set(this: Layer, value: unknown) {
      define(this, name, value, true);
    },
  });
}
