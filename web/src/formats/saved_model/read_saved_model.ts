// SPDX-License-Identifier: MIT
// SavedModel folders of Keras 2: the architecture in keras_metadata.pb, or in saved_model.pb before
// TensorFlow 2.5, and the weights in the folder `variables`. The graph of TensorFlow is not read.
import { FormatError, MaskflowError, UnsupportedError } from '../../base/errors.js';
import { visible } from '../../base/visible.js';
import type { Artifact, LayerWeights, ReadOptions, StoredLayer } from '../artifact.js';
import { isModel } from '../dialects/entries.js';
import { toKeras3 } from '../dialects/to_keras3.js';
import { isRecord, type Json, listOf, textOf } from '../json.js';
import { parseJson } from '../json_text.js';
import type { Budget } from '../open/budget.js';
import type { FileSet, OpenFile } from '../open/open_file.js';
import { isSavedModel } from '../open/recognise.js';
import { Checkpoint, type ReadFile, type TrackedObject } from './checkpoint.js';
import { Message } from './message.js';
import { openTar } from './tar.js';

const kMetadata = 'keras_metadata.pb';
const kGraph = 'saved_model.pb';
/** Largest keras_metadata.pb; one of a real model has a few kilobytes for each of its layers. */
const kMaxMetadata = 2 ** 28;

/** Description of an object by Keras. */
interface KerasObject {
  /** Names of Python's attributes from the model: ['layer_with_weights-0', 'cell'], [] itself. */
  readonly path: readonly string[];
  /** `_tf_keras_layer`, `_tf_keras_metric` and the like. */
  readonly kind: string;
  /** JSON. */
  readonly text: string;
}

/** A folder, as the readers below need it. */
interface Folder {
  readonly name: string;
  readonly budget: Budget;
  readonly read: ReadFile;
}

/** Reads the folder of a SavedModel, of which one of the two .pb files is open. */
export function readSavedModel(file: OpenFile, options: ReadOptions): Promise<Artifact> {
  const { bytes, name, budget } = file;
  const main = isSavedModel(bytes) ? kGraph : kMetadata;
  const read: ReadFile = async (path, maxBytes) =>
    path === main ? bytes : (await file.sibling(path, maxBytes)).bytes;
  return readFolder({ name, budget, read }, options);
}

/** Reads a SavedModel in an archive of tar. */
export async function readTar(file: OpenFile, options: ReadOptions): Promise<Artifact> {
  const { bytes, name, budget } = file;
  const archive = openTar(bytes, name, budget);
  const artifact = await readSavedModelIn(archive, file, options);
  if (artifact) return artifact;
  const names = archive.names.slice(0, 10).map(visible).join(', ');
  throw new FormatError(
    `${name} is an archive of tar without a SavedModel of Keras 2: unpack it, and load the model in it; it contains ${names || 'nothing'}`,
  );
}

/** Reads a SavedModel in an archive; undefined if there is none. */
export async function readSavedModelIn(
  archive: FileSet,
  { name, budget }: Pick<OpenFile, 'name' | 'budget'>,
  options: ReadOptions,
): Promise<Artifact | undefined> {
  const paths = [...archive.names].sort((a, b) => a.length - b.length);
  const isFile = (path: string, file: string): boolean => `/${path}`.endsWith(`/${file}`);
  const main =
    paths.find((path) => isFile(path, kMetadata)) ?? paths.find((path) => isFile(path, kGraph));
  if (main === undefined) return undefined;
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const read: ReadFile = async (path) => {
    const bytes = await archive.unpack(folder + path);
    if (bytes) return bytes;
    throw new FormatError(`${name} has a SavedModel without the file ${visible(path)}`);
  };
  return readFolder({ name, budget, read }, options);
}

async function readFolder(
  folder: Folder,
  { replaced, architectureOnly = false }: ReadOptions,
): Promise<Artifact> {
  const { name, budget } = folder;
  const objects = await kerasObjects(folder);
  const root = objects.find(({ path }) => path.length === 0);
  if (!root) throw withoutLayers(name);
  const facts = jsonOf(root, name, budget);
  const model = isRecord(facts['model_config']) ? facts['model_config'] : facts;
  if (!isModel(model)) {
    throw new FormatError(
      `${name} has a model of the class ${visible(textOf(model['class_name']))}, whose layers only Python knows: load it there, save its weights with model.save_weights("name.weights.h5"), build the model here and call model.loadWeights`,
    );
  }
  const kerasVersion = textOf(facts['keras_version']);
  const converted = toKeras3(model, kerasVersion || '2.0', budget, replaced);
  refuseTextLayers(model['config'], name);
  return {
    ...converted,
    kerasVersion,
    weights: architectureOnly ? null : await weightsOf(folder, objects),
    compileConfig: facts['training_config'],
    optimizer: [],
  };
}

function withoutLayers(name: string): FormatError {
  return new FormatError(
    `${name} is a TensorFlow SavedModel without the layers of Keras, which Keras 2 writes into keras_metadata.pb: if Keras 2 saved it, pass the whole folder, or load it with tf_keras (Keras 2) and save it with model.save("name.keras"); if model.export() of Keras 3 wrote it, save the model itself with model.save("name.keras")`,
  );
}

/** Reads the descriptions of the model and its layers. */
async function kerasObjects(folder: Folder): Promise<KerasObject[]> {
  const { budget } = folder;
  const metadata = await optionalFile(folder, kMetadata);
  if (metadata) {
    return new Message(metadata, kMetadata, budget).messages(1).map((object) => ({
      path: object.text(3).split('.').slice(1),
      kind: object.text(4),
      text: object.text(5),
    }));
  }
  const graph = await optionalFile(folder, kGraph);
  return graph ? objectsInGraph(new Message(graph, kGraph, budget)) : [];
}

/** Returns a file of the folder; undefined if there is none. */
async function optionalFile(
  { read, budget }: Folder,
  path: string,
): Promise<Uint8Array | undefined> {
  try {
    return await read(path, kMaxMetadata);
  } catch (error) {
    // A file that was not read for a limit or a signal is not absent.
    budget.check();
    budget.read(0, path);
    if (error instanceof MaskflowError) return undefined;
    throw error;
  }
}

/** Finds the model and its layers in a graph of TensorFlow 2.0 to 2.4. */
function objectsInGraph(graph: Message): KerasObject[] {
  const nodes = graph
    .messages(2)
    .flatMap((meta) => meta.messages(7))
    .flatMap((objects) => objects.bytes(1));
  const at = (index: number): Message | undefined =>
    nodes[index] && new Message(nodes[index], kGraph, graph.budget);
  const found = (node: Message | undefined, path: readonly string[]): KerasObject[] =>
    (node?.messages(4) ?? [])
      .map((user) => ({ path, kind: user.text(1), text: user.text(3) }))
      .filter(({ kind, text }) => kind.startsWith('_tf_keras') && text !== '');
  const root = at(0);
  const children = root?.messages(1) ?? [];
  const layers = children.flatMap((child) => found(at(child.number(1)), [child.text(2)]));
  return [...found(root, []), ...layers];
}

function jsonOf({ text }: KerasObject, name: string, budget: Budget): Json {
  const json = parseJson(text, `the metadata of Keras in ${name}`, budget);
  return isRecord(json) ? json : {};
}

const isLayer = ({ path, kind }: KerasObject): boolean =>
  path.length === 1 && kind.startsWith('_tf_keras') && kind !== '_tf_keras_metric';

/** Reads the weights of all layers, in the order of Keras's `layer.weights`. */
async function weightsOf(folder: Folder, objects: readonly KerasObject[]): Promise<LayerWeights> {
  const { name, budget } = folder;
  const checkpoint = await Checkpoint.open(folder.read, budget);
  const tracked = await checkpoint.objects();
  const child = (owner: TrackedObject | undefined, key: string): TrackedObject | undefined =>
    tracked[owner?.children.get(key) ?? -1];
  const layers: StoredLayer[] = [];
  const seen = new Set<TrackedObject>();
  for (const object of objects.filter(isLayer)) {
    await budget.pause();
    const layer = child(tracked[0], object.path[0] as string);
    if (!layer || seen.has(layer)) continue;
    seen.add(layer);
    const list = child(layer, 'variables');
    const weights = [];
    for (const key of numbered(list)) {
      const { variable } = child(list, key) ?? {};
      if (variable) weights.push(await checkpoint.array(variable));
    }
    layers.push({ name: textOf(jsonOf(object, name, budget)['name']), weights });
  }
  return { kind: 'layers', level: 'top', layers, backend: 'tensorflow' };
}

/** Names of the items of a list of Python, in order. */
const numbered = (list: TrackedObject | undefined): string[] =>
  [...(list?.children.keys() ?? [])]
    .filter((key) => /^\d+$/.test(key))
    .sort((a, b) => Number(a) - Number(b));

const kTextLayers = ['TextVectorization', 'StringLookup', 'IntegerLookup'];

/** Refuses layers whose vocabulary is in tables of the graph. */
function refuseTextLayers(config: unknown, file: string): void {
  const layers = isRecord(config) ? listOf(config['layers']).filter(isRecord) : [];
  for (const { class_name: className, config: settings } of layers) {
    refuseTextLayers(settings, file);
    const isEmpty = isRecord(settings) && !settings['vocabulary'];
    if (!isEmpty || !kTextLayers.includes(textOf(className))) continue;
    throw new UnsupportedError(
      `'${visible(textOf(settings['name']))}' (${className}): its vocabulary is in the graph of ${file}, which is not read; load the folder with tf_keras and save the model with model.save("name.keras")`,
    );
  }
}
