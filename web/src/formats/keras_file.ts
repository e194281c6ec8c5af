// SPDX-License-Identifier: MIT
import { FormatError, UnsupportedError } from '../errors.js';
import type { Artifact, NamedArray, SerializedObject, TreeWeights } from './artifact.js';
import { parseJson } from './dialects/json.js';
import { type Hdf5Dataset, type Hdf5Group, openHdf5 } from './hdf5.js';
import { openZip, type ZipArchive } from './zip.js';

const kConfig = 'config.json';
const kMetadata = 'metadata.json';
const kWeights = 'model.weights.h5';

/** The `.keras` file of Keras 3, and of Keras 2.12 to 2.15. */
export async function readKerasFile(bytes: Uint8Array, name: string): Promise<Artifact> {
  const zip = openZip(bytes);
  const [config, weights] = [zip.read(kConfig), zip.read(kWeights)];
  if (!config || !weights) throw notKeras(zip, name);
  const metadata = zip.read(kMetadata);
  const about = metadata ? parse(metadata, kMetadata, name) : {};
  const { keras_version } = Object(about) as { keras_version?: unknown };
  const kerasVersion = typeof keras_version === 'string' ? keras_version : '';
  const stored = { kerasVersion, weights: await readTree(openHdf5(weights)) };
  const serialized = parse(config, kConfig, name) as SerializedObject;
  if (isOfKeras2(kerasVersion, serialized)) {
    const { toKeras3 } = await import('./dialects.js');
    return { ...stored, ...toKeras3(serialized, kerasVersion) };
  }
  if (typeof serialized?.class_name !== 'string' || typeof serialized.config !== 'object') {
    throw new FormatError(
      `${kConfig} in ${name} describes no model: class_name or config is missing`,
    );
  }
  const rule = isSince316(kerasVersion) ? { maskPropagation: 'keras-3.16' as const } : {};
  return { ...stored, ...rule, config: serialized, compileConfig: compileConfig(serialized) };
}

/** A `.weights.h5` file of Keras 3, or of Keras 2.12 to 2.15, which has no architecture. */
export async function readWeightsFile(root: Hdf5Group): Promise<Artifact> {
  return { config: null, kerasVersion: '', weights: await readTree(root) };
}

function compileConfig(serialized: SerializedObject): { [key: string]: unknown } | null {
  const compiled = serialized['compile_config'];
  return typeof compiled === 'object' ? (compiled as { [key: string]: unknown } | null) : null;
}

const isOfKeras2 = (version: string, { module }: SerializedObject): boolean =>
  /^[12]\./.test(version) || /^keras(\.src)?\.engine\b/.test(String(module ?? ''));

function isSince316(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 16);
}

function parse(bytes: Uint8Array, entry: string, name: string): unknown {
  return parseJson(new TextDecoder().decode(bytes), `${entry} in ${name}`);
}

function notKeras(zip: ZipArchive, name: string): FormatError | UnsupportedError {
  const has = (pattern: RegExp): boolean => zip.names.some((entry) => pattern.test(entry));
  const missing = [kConfig, kWeights].filter((entry) => !zip.names.includes(entry)).join(' and ');
  if (has(/(^|\/)data\.pkl$/)) {
    return new FormatError(
      `${name} is a PyTorch file, which only Python can run: save a Keras model`,
    );
  }
  if (has(/saved_model\.pb$/))
    return new FormatError(
      `${name} holds a SavedModel of TensorFlow, which has no Keras layers left: save it with model.save("name.keras")`,
    );
  if (has(/model\.weights\.json$/)) {
    return new UnsupportedError(
      `${name} keeps its weights in several files; save it without max_shard_size`,
    );
  }
  if (has(/\.npy$/)) return new FormatError(`${name} is a set of NumPy arrays (npz), not a model`);
  if (has(/(^|\/)model\.json$/))
    return new FormatError(`${name} is a zipped model of TF.js: unzip it and give its files`);
  const names = zip.names.slice(0, 10).join(', ');
  return new FormatError(
    `${name} is a zip archive, but no .keras file: ${missing} is missing; it holds ${names || 'nothing'}`,
  );
}

// As deep as Python could have written it, and as many parts as no model has.
const kDeepest = 64;
const kMostParts = 200_000;

async function readTree(root: Hdf5Group): Promise<TreeWeights> {
  const tree = arraysBelow(root);
  if (![...tree.arrays.keys()].some((path) => /\\|_layer_checkpoint_dependencies/.test(path)))
    return tree;
  const { treeOfKeras2 } = await import('./dialects.js');
  return treeOfKeras2(tree);
}

/** All arrays below a group, by path; nothing is read. */
function arraysBelow(root: Hdf5Group): TreeWeights {
  const arrays = new Map<string, NamedArray>();
  const names = new Map<string, string>();
  let parts = 0;
  const visit = (group: Hdf5Group, depth: number): void => {
    if (depth > kDeepest)
      throw new FormatError(`the groups of the weights file are more than ${kDeepest} deep`);
    for (const key of group.keys()) {
      if (++parts > kMostParts)
        throw new FormatError(`the weights file has more than ${kMostParts} parts`);
      const part = group.get(key);
      if (part?.kind === 'group') visit(part, depth + 1);
      else if (part) arrays.set(part.path, arrayOf(part));
    }
    const name = group.attributes.get('name');
    if (typeof name === 'string') names.set(group.path.replace(/\/?vars$/, ''), name);
  };
  visit(root, 0);
  return { kind: 'tree', arrays, names };
}

const arrayOf = (found: Hdf5Dataset): NamedArray => ({
  name: found.path,
  shape: found.shape,
  dtype: found.dtype,
  read: () => found.read(),
});
