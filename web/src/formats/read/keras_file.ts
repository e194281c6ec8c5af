// SPDX-License-Identifier: MIT
// Files of Keras 3, `.keras` and `.weights.h5`, and those of Keras 2.12 to 2.15, which have the
// same container. It is in the chunk of load.ts, because most files are of this kind.
import { FormatError, UnsupportedError } from '../../base/errors.js';
import type {
  Artifact,
  NamedArray,
  ReadOptions,
  SerializedObject,
  TreeWeights,
} from '../artifact.js';
import type { Budget } from '../open/budget.js';
import type { FileSet, OpenFile } from '../open/open_file.js';
import { type Hdf5Dataset, type Hdf5Group, openHdf5 } from '../hdf5/open_hdf5.js';
import { parseJsonBytes } from '../json_text.js';
import { openZip, type ZipArchive } from '../zip/read_zip.js';
import { decodeUtf8 } from '../../engine/utf8.js';

const kConfig = 'config.json';
const kMetadata = 'metadata.json';
const kWeights = 'model.weights.h5';

/** Reads a `.keras` file of Keras 3 or of Keras 2.12 to 2.15. */
export async function readKerasFile(
  bytes: Uint8Array,
  name: string,
  budget: Budget,
  options: ReadOptions = {},
): Promise<Artifact> {
  const zip = openZip(bytes, budget);
  if (![kConfig, kWeights].every((entry) => zip.names.includes(entry))) {
    if (!zip.names.some((entry) => entry.endsWith('.pb'))) throw notKerasFile(zip, name);
    const { readSavedModelIn } = await import('../saved_model/read_saved_model.js');
    const artifact = await readSavedModelIn(zip, { name, budget }, options);
    if (artifact) return artifact;
    throw notKerasFile(zip, name);
  }
  return readKerasFiles(zip, { name, budget }, options);
}

/** Reads the files of a `.keras` archive. */
export async function readKerasFiles(
  zip: FileSet,
  { name, budget }: Pick<OpenFile, 'name' | 'budget'>,
  { replaced }: ReadOptions,
): Promise<Artifact> {
  const parse = (entry: Uint8Array | undefined, what: string): unknown =>
    entry ? parseJsonBytes(entry, `${what} in ${name}`, budget) : {};
  const metadata = parse(await zip.unpack(kMetadata), kMetadata);
  const { keras_version } = Object(metadata) as { keras_version?: unknown };
  const kerasVersion = typeof keras_version === 'string' ? keras_version : '';
  const serialized = Object(parse(await zip.unpack(kConfig), kConfig)) as SerializedObject;
  const weights = (await zip.unpack(kWeights)) as Uint8Array;
  const tree = await readTree(openHdf5(weights, budget), budget);
  const unpack = async (asset: string) => (await zip.unpack(asset)) as Uint8Array;
  const assets = { names: zip.names.filter((entry) => entry.startsWith('assets/')), unpack };
  const content = { kerasVersion, weights: tree, texts: await readTexts(zip), assets };
  const compileConfig = serialized['compile_config'];
  if (isOfKeras2(kerasVersion, serialized)) {
    const { toKeras3 } = await import('../dialects/to_keras3.js');
    return { ...content, compileConfig, ...toKeras3(serialized, kerasVersion, budget, replaced) };
  }
  if (typeof serialized?.class_name !== 'string' || typeof serialized.config !== 'object') {
    throw new FormatError(
      `${kConfig} in ${name} does not describe a model: class_name or config is missing`,
    );
  }
  const rule = isSince316(kerasVersion) ? { maskPropagation: 'keras-3.16' as const } : {};
  return { ...content, ...rule, config: serialized, compileConfig };
}

/** Vocabularies are separate files of the archive. */
async function readTexts(zip: FileSet): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of zip.names) {
    if (!name.startsWith('assets/') || !name.endsWith('vocabulary.txt')) continue;
    texts.set(name, decodeUtf8(await zip.unpack(name)));
  }
  return texts;
}

/** Reads a `.weights.h5` file of Keras 3 or of Keras 2.12 to 2.15, which has no architecture. */
export async function readWeightsFile(root: Hdf5Group, budget: Budget): Promise<Artifact> {
  return { config: null, kerasVersion: '', weights: await readTree(root, budget) };
}

const isOfKeras2 = (version: string, { module }: SerializedObject): boolean =>
  version.startsWith('1.') ||
  version.startsWith('2.') ||
  ['keras.engine', 'keras.src.engine'].some((name) => `${module}.`.startsWith(`${name}.`));

function isSince316(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 16);
}

/** The error for an archive that is not a `.keras` file: says what it looks like. */
function notKerasFile(zip: ZipArchive, name: string): FormatError | UnsupportedError {
  const contains = (ending: string): boolean =>
    zip.names.some((entry) => entry.endsWith(ending) || `/${entry}` === ending);
  const missing = [kConfig, kWeights].filter((entry) => !zip.names.includes(entry)).join(' and ');
  if (contains('/data.pkl')) {
    return new FormatError(
      `${name} is a file of PyTorch: open it with readTorch of maskflow/torch, which makes layers of its modules`,
    );
  }
  if (contains('model.weights.json')) {
    return new UnsupportedError(
      `${name} has its weights in several files; save it without max_shard_size`,
    );
  }
  if (contains('.npy'))
    return new FormatError(`${name} is a set of NumPy arrays (npz), not a model`);
  if (contains('/model.json')) {
    return new FormatError(`${name} is a zipped TF.js model: unzip it and pass its files`);
  }
  const names = zip.names.slice(0, 10).join(', ');
  return new FormatError(
    `${name} is a zip archive, but not a .keras file: ${missing} is missing; it contains ${names || 'nothing'}`,
  );
}

async function readTree(root: Hdf5Group, budget: Budget): Promise<TreeWeights> {
  const tree = await arraysBelow(root, budget);
  const isKeras2Path = (path: string): boolean =>
    path.includes('\\') || path.includes('_layer_checkpoint_dependencies');
  if (![...tree.arrays.keys()].some(isKeras2Path)) return tree;
  const { treeOfKeras2 } = await import('../dialects/to_keras3.js');
  return treeOfKeras2(tree);
}

/** All arrays below a group, by path; their data is not read. */
async function arraysBelow(root: Hdf5Group, budget: Budget): Promise<TreeWeights> {
  const arrays = new Map<string, NamedArray>();
  const names = new Map<string, string>();
  const visit = async (group: Hdf5Group, depth: number): Promise<void> => {
    await budget.pause();
    budget.checkDepth(depth, 'the groups of the weights file');
    for (const key of group.keys()) {
      const child = group.get(key);
      if (child?.kind === 'group') await visit(child, depth + 1);
      else if (child) arrays.set(child.path, arrayOf(child));
    }
    const name = group.attributes.get('name');
    if (typeof name === 'string') names.set(withoutVars(group.path), name);
  };
  await visit(root, 0);
  return { kind: 'tree', arrays, names };
}

function withoutVars(path: string): string {
  const group = path.endsWith('vars') ? path.slice(0, -'vars'.length) : path;
  return group !== path && group.endsWith('/') ? group.slice(0, -1) : group;
}

const arrayOf = (dataset: Hdf5Dataset): NamedArray => ({
  name: dataset.path,
  shape: dataset.shape,
  dtype: dataset.dtype,
  read: () => dataset.read(),
  writer: () => dataset.writer(),
});
