// SPDX-License-Identifier: MIT
// Layers that save and load themselves, as in Keras: own variables, assets, and the config from
// which they build their weights. file_hooks.ts declares the methods.
import { describe, isPlain } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { isTypedArray } from '../base/nested.js';
import type { AssetFiles, VariableStore } from '../layers/file_hooks.js';
import { kUsual } from '../layers/file_hooks.js';
import { Layer } from '../layers/layer.js';
import { objectById } from '../layers/layer_objects.js';
import { asTensor, isTensor, isWeight, type Tensor, tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import type { NamedArray, SerializedObject } from './artifact.js';
import type { Hdf5Array } from './hdf5_writer/write_hdf5.js';
import type { TreeNode } from './tree.js';

/** Returns the object of a custom layer. */
const customOf = ({ info }: TreeNode): Layer | undefined =>
  info.kind === 'js' ? objectById<Layer>(info.id) : undefined;

/** Returns the layer of a node if its class loads its own arrays. */
export function ownLoader(node: TreeNode): Layer | undefined {
  const layer = customOf(node);
  return layer && layer.loadOwnVariables !== Layer.prototype.loadOwnVariables ? layer : undefined;
}

function arrayOf(value: unknown, place: string): Hdf5Array {
  if (isTypedArray(value) && !(value instanceof Uint8Array)) {
    return arrayOf(asTensor(value as never), place);
  }
  const isArray = Array.isArray(value) || typeof value === 'number' || typeof value === 'boolean';
  if (!isTensor(value) && !isWeight(value) && !isArray) {
    throw new ConfigError(
      `${place} of saveOwnVariables() is ${describe(value)}; store a tensor, a variable or an array`,
    );
  }
  const x: Tensor = isWeight(value) ? value.value : asTensor(value as never);
  return { shape: x.shape, dtype: x.dtype, data: x.data() };
}

/**
 * Returns the arrays that a layer stores itself, by name; null for one that stores its weights as
 * usual.
 *
 * @param usual The arrays of its own weights.
 */
export function ownArrays(
  node: TreeNode,
  usual: readonly Hdf5Array[],
): ReadonlyMap<string, Hdf5Array> | null {
  const layer = customOf(node);
  if (!layer || layer.saveOwnVariables === Layer.prototype.saveOwnVariables) return null;
  return tidy(() => {
    const arrays = new Map<string, Hdf5Array>();
    const store: VariableStore = Object.create(null);
    store[kUsual] = () => {
      for (const [i, array] of usual.entries()) arrays.set(String(i), array);
    };
    layer.saveOwnVariables(store);
    for (const [name, value] of Object.entries(store)) {
      arrays.set(name, arrayOf(value, `'${name}' of layer '${layer.name}'`));
    }
    return arrays;
  });
}

/** Returns an array of a file as a tensor. */
function tensorOf({ shape, dtype, read }: NamedArray): Tensor {
  const data = read();
  const type = dtype === 'bool' ? 'bool' : /int/.test(dtype) ? 'int32' : 'float32';
  const Class = { bool: Uint8Array, int32: Int32Array, float32: Float32Array }[type];
  return tensor(Class.from(data as never), { shape, dtype: type });
}

/** Calls `loadOwnVariables` of a layer with the arrays of its group. */
export function loadOwn(node: TreeNode, arrays: readonly NamedArray[]): void {
  const layer = ownLoader(node);
  tidy(() => {
    const store: VariableStore = Object.create(null);
    for (const array of arrays) {
      const name = array.name.slice(array.name.lastIndexOf('/') + 1);
      store[name] = keep(tensorOf(array));
    }
    store[kUsual] = () => {
      const values = node.weights.map(({ name }, i) => {
        if (store[i] !== undefined) return store[i] as Tensor;
        throw new ConfigError(
          `the file has no array '${i}' for the weight '${name}' of layer '${layer?.name}'`,
        );
      });
      if (values.length > 0) layer?.setWeights(values as Tensor[]);
    };
    layer?.loadOwnVariables(store);
  });
}

/** Returns the files that layers add to an archive, by path. */
export function assetsOf(nodes: Iterable<TreeNode>): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const node of nodes) {
    const own: AssetFiles = Object.create(null);
    customOf(node)?.saveAssets?.(own);
    for (const [name, content] of Object.entries(own)) {
      if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
        throw new ConfigError(
          `'${name}' of saveAssets() of '${node.info.name}' is ${describe(content)}; store a text or a Uint8Array`,
        );
      }
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      files.set(`assets/${node.path}/${name}`, bytes);
    }
  }
  return files;
}

/** Passes files of an archive to the layers that read them. */
export async function loadAssets(
  nodes: Iterable<TreeNode>,
  { names, unpack }: { names: readonly string[]; unpack(name: string): Promise<Uint8Array> },
): Promise<void> {
  for (const node of nodes) {
    const layer = customOf(node);
    if (!layer?.loadAssets) continue;
    const folder = `assets/${node.path}/`;
    const files: { [name: string]: Uint8Array } = Object.create(null);
    for (const name of names) {
      if (name.startsWith(folder)) files[name.slice(folder.length)] = await unpack(name);
    }
    layer.loadAssets(files);
  }
}

const kParts = ['layers', 'layer', 'backward_layer', 'cell', 'cells'];

/** The `build_config` of custom layers, by name; that of the whole model is built elsewhere. */
export type Builds = Map<string, { readonly config: object; readonly isRoot: boolean }>;

/** Returns a config without the `build_config` of custom layers inside, and fills `builds`. */
export function withoutBuilds(
  entry: SerializedObject,
  builds: Builds,
  isRoot = true,
): SerializedObject {
  if (!isPlain(entry) || !isPlain(entry.config)) return entry;
  const config: { [key: string]: unknown } = { ...entry.config };
  for (const part of kParts) {
    const value = config[part];
    if (Array.isArray(value)) {
      config[part] = value.map((item) => withoutBuilds(item as SerializedObject, builds, false));
    } else if (isPlain(value)) config[part] = withoutBuilds(value as never, builds, false);
  }
  const { build_config: build } = entry;
  const isCustom =
    typeof entry.registered_name === 'string' && !/\bkeras\b/.test(`${entry.module}`);
  if (!isCustom || !build || Array.isArray(config['layers'])) return { ...entry, config };
  builds.set(String(config['name']), { config: build, isRoot });
  return { ...entry, config, ...(!isRoot && { build_config: null }) };
}

/** Builds a layer as its file says: by its own method, or by its input shape. */
export function buildMade(layer: Layer, builds: Builds): void {
  const build = builds.get(layer.name);
  if (!build || layer.built) return;
  if (layer.buildFromConfig) {
    layer.buildFromConfig(build.config as never);
    return;
  }
  const { input_shape: shape } = build.config as { input_shape?: unknown };
  if (build.isRoot || !Array.isArray(shape) || shape.some(Array.isArray)) return;
  layer.build(shape as number[]);
}
