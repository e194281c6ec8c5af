// SPDX-License-Identifier: MIT
// The chunk of `loadModel` and `loadWeights`: opens the source, chooses a reader, builds the model
// and sets its weights. entries/load_model.ts fetches it.
import { checkOptions } from '../base/check.js';
import { ConfigError, FormatError, MaskflowError, StateError, ValueError } from '../base/errors.js';
import type { LoadOptions, LoadWeightsOptions } from '../model/load_options.js';
import type { Layer } from '../layers/layer.js';
import type { Model } from '../model/model.js';
import type { QuantizeOptions } from '../model/quantize.js';
import { trainingFiles } from '../model/services.js';
import type {
  Artifact,
  LayerWeights,
  ReadOptions,
  SerializedObject,
  TreeWeights,
} from './artifact.js';
import { buildModel } from './build/build_model.js';
import { nameInErrors, shortenMessage } from './open/reading_failed.js';
import { openHdf5 } from './hdf5/open_hdf5.js';
import { parseJsonBytes } from './json_text.js';
import { readKerasFile, readKerasFiles, readWeightsFile } from './read/keras_file.js';
import { pairTree } from './pair/pair_tree.js';
import { type Storing, setPairedWeights } from './pair/pairing.js';
import { type Container, containerOf } from './open/recognise.js';
import { type ModelSource, sourceOptions } from '../base/model_source.js';
import type { OpenFile } from './open/open_file.js';
import { openSource } from './open/source.js';
import { loadAssets } from './own_saving.js';
import { nodesOf, withLayerTreeAsync } from './tree.js';
import { visible } from '../base/visible.js';

/** Implements `loadModel`, which has checked the names of the options. @internal */
export const loadModelFrom: typeof load = (begun, source, options) =>
  load(begun, source, options).catch((error: unknown) => {
    throw shortenMessage(error);
  });

/** Implements `Model.loadWeights`. @internal */
export const loadWeightsFrom: typeof loadWeights = (model, source, options) =>
  loadWeights(model, source, options).catch((error: unknown) => {
    throw shortenMessage(error);
  });

/** Work that `loadModel` of an entry began before this chunk was fetched. */
interface Begun {
  starting: Promise<void>;
  response: Promise<Response> | undefined;
}

async function load(
  { starting, response }: Begun,
  source: ModelSource,
  options: LoadOptions,
): Promise<Model> {
  const file = await openSource(source, options, undefined, response);
  // Shards are fetched while the wasm still arrives.
  const [{ artifact, weights, weightsFile }] = await Promise.all([
    readModel(file, options),
    starting,
  ]);
  options.signal?.throwIfAborted();
  const model = await finish({ artifact, weights, weightsFile }, file, options).catch(
    (error: unknown) => {
      throw withVersion(error, artifact.kerasVersion);
    },
  );
  if (weights) await weightsFile.complete?.();
  return model;
}

/** Adds the version of Keras that wrote a file to an error about its content. */
function withVersion(error: unknown, version: string): unknown {
  if (!(error instanceof MaskflowError) || error.kind === 'state' || version === '') return error;
  const { message } = error;
  const writer = `${/^\d/.test(version) ? 'Keras ' : ''}${visible(version)}`;
  if (!message.includes(version)) error.message = `${message} (the file is of ${writer})`;
  return error;
}

/** Builds the model and sets its weights. */
async function finish(
  { artifact, weights, weightsFile }: WholeModel,
  file: OpenFile,
  options: LoadOptions,
): Promise<Model> {
  const model = await buildModel(artifact, options, file);
  try {
    const { quantize, compile = true } = options;
    const quantizeOptions = quantize === 'int8' ? {} : quantize;
    // Samples need the outputs of the floats.
    const whileReading = weights && quantizeOptions && quantizeOptions.samples === undefined;
    if (weights) {
      const wholeFile = weights === artifact.weights;
      await setWeights(model, weights, weightsFile, {
        wholeFile,
        byName: false,
        fresh: true,
        quantize: whileReading ? await quantizerFor(model, quantizeOptions) : undefined,
      });
    }
    const { assets } = artifact;
    if (weights && assets && assets.names.length > 0) {
      await withLayerTreeAsync(model, (tree) => loadAssets(nodesOf(tree), assets));
    }
    // Weights in 8 bits cannot be trained.
    if (compile && !quantize) {
      await trainingFiles.supplied?.read(model, { ...artifact, weights, file, options });
    }
    if (quantizeOptions && !whileReading) await model.quantize('int8', quantizeOptions);
  } catch (error) {
    model.dispose();
    throw error;
  }
  return model;
}

async function quantizerFor(model: Model, options: QuantizeOptions): Promise<Storing['quantize']> {
  const { weightQuantizer } = await import('../model/quantize.js');
  return weightQuantizer(model, options);
}

/** An architecture and the weights for it. */
interface WholeModel {
  artifact: WithConfig;
  weights: Artifact['weights'];
  weightsFile: OpenFile;
}

/** Reads architecture and weights from one file or two. */
async function readModel(file: OpenFile, options: LoadOptions): Promise<WholeModel> {
  const replaced = new Set(Object.keys(options.customObjects ?? {}));
  const read = (from: OpenFile): Promise<Artifact> =>
    readArtifact(from, { replaced, architectureOnly: options.weights !== undefined });
  const [main, [architectureFile, artifact]] = await withArchitecture(file, read);
  if (options.weights === null) return { artifact, weights: null, weightsFile: file };
  let source: [OpenFile, Artifact] | undefined;
  if (options.weights !== undefined) {
    const other = await openSource(options.weights, options);
    source = [other, await readArtifact(other)];
  } else if (main.weights) source = [file, main];
  else source = await otherFile(file, ['.h5', '.hdf5', '.keras'], read);
  if (source?.[1].weights) {
    return { artifact, weights: source[1].weights, weightsFile: source[0] };
  }
  throw new FormatError(
    `${architectureFile.name} is an architecture without weights: pass both, loadModel(architecture, { weights: file }) or { files: [architecture, weights] }, or pass { weights: null } to start with initial weights`,
  );
}

type WithConfig = Artifact & { config: SerializedObject };

/** Reads the file, and the only JSON beside it if the file has no architecture itself. */
async function withArchitecture(
  file: OpenFile,
  read: (from: OpenFile) => Promise<Artifact>,
): Promise<[Artifact, [OpenFile, WithConfig]]> {
  const main = await read(file);
  if (main.config) return [main, [file, main as WithConfig]];
  const json = await otherFile(file, ['.json'], read);
  if (json?.[1].config) return [main, json as [OpenFile, WithConfig]];
  throw new FormatError(
    `${file.name} has weights only, no architecture: pass its JSON, too, loadModel(architecture, { weights: file }), or build the model and call model.loadWeights(…), or save the whole model with model.save("name.keras")`,
  );
}

/** Reads the other file whose name has one of these endings, if there is exactly one. */
async function otherFile(
  { others = [] }: OpenFile,
  endings: readonly string[],
  read: (from: OpenFile) => Promise<Artifact>,
): Promise<[OpenFile, Artifact] | undefined> {
  const [match, second] = others.filter(({ name }) =>
    endings.some((ending) => name.toLowerCase().endsWith(ending)),
  );
  if (!match || second) return undefined;
  const file = await match.open();
  return [file, await read(file)];
}

async function loadWeights(
  model: Layer,
  source: ModelSource,
  options: LoadWeightsOptions,
): Promise<void> {
  const file = await openSource(source, checkOptions(options, { byName: 1, ...sourceOptions }));
  const artifact = await readArtifact(file);
  const { weights } = artifact;
  options.signal?.throwIfAborted();
  if (!model.built && model.weights.length === 0) {
    throw new StateError(
      `'${model.name}' has no weights yet: start it with an Input, call model.build(shape), or call it once`,
    );
  }
  const { byName = false } = options;
  if (!weights) {
    throw new FormatError(`${file.name} has an architecture only, no weights`);
  }
  if (byName && weights.kind === 'tree') {
    throw new ValueError(
      `${file.name} stores weights by position, not by layer name: leave byName out, which needs a .h5 file of Keras 1 or 2`,
    );
  }
  const setState = await trainingFiles.supplied?.stateReader(model, artifact, file.name);
  await setWeights(model, weights, file, { wholeFile: false, byName, fresh: false });
  setState?.();
  await file.complete?.();
}

/** Number of times that a file is opened again because a program replaces it meanwhile. */
const kReplacements = 8;

/**
 * Reads a file of any format. Errors name the file. Begins again if the file is replaced meanwhile:
 * the files beside a model.json may be removed with it.
 */
export async function readArtifact(file: OpenFile, options: ReadOptions = {}): Promise<Artifact> {
  let current = file;
  for (let left = kReplacements; ; left--) {
    const opened = current;
    try {
      return await nameInErrors(opened, () => readContainer(opened, options));
    } catch (error) {
      const next = left > 0 ? await opened.replacement?.() : undefined;
      if (!next) throw error;
      current = next;
    }
  }
}

function readContainer(file: OpenFile, options: ReadOptions): Promise<Artifact> {
  if (file.json !== undefined) return readJson(file, file.json, options);
  if (file.archive) return readKerasFiles(file.archive, file, options);
  return readers[containerOf(file.bytes, file.name)](file, options);
}

/** Readers of all containers. */
const readers: {
  readonly [C in Container]: (file: OpenFile, options: ReadOptions) => Promise<Artifact>;
} = {
  zip: ({ bytes, name, budget }, options) => readKerasFile(bytes, name, budget, options),
  async savedModel(file, options) {
    const { readSavedModel } = await import('./saved_model/read_saved_model.js');
    return readSavedModel(file, options);
  },
  async tar(file, options) {
    const { readTar } = await import('./saved_model/read_saved_model.js');
    return readTar(file, options);
  },
  async json(file, options) {
    return readJson(file, parseJsonBytes(file.bytes, file.name, file.budget), options);
  },
  hdf5: readHdf5,
  async gzip(file, options) {
    const { decompressed } = await import('./pickle/keras_model.js');
    const bytes = await decompressed(file.bytes, file.name, file.budget);
    const container = containerOf(bytes, file.name);
    if (container !== 'gzip') return readers[container]({ ...file, bytes }, options);
    throw new FormatError(`${file.name} is compressed with gzip twice: decompress it first`);
  },
  async pickle(file, options) {
    const { pickledModel } = await import('./pickle/keras_model.js');
    const model = await pickledModel(file, options);
    return 'bytes' in model ? readers[containerOf(model.bytes, model.name)](model, options) : model;
  },
};

const hasVars = (path: string): boolean => /(^|[\\/])vars[\\/]/.test(path);

async function readHdf5(file: OpenFile, options: ReadOptions): Promise<Artifact> {
  const { bytes, name, budget } = file;
  const root = openHdf5(bytes, budget);
  const { isLegacyH5, readLegacyH5 } = await import('./read/legacy_h5.js');
  if (isLegacyH5(root)) return readLegacyH5(root, budget, options);
  const artifact = await readWeightsFile(root, budget);
  const { weights } = artifact;
  // Keras has the weights of each layer in a group `vars`; other programs have data sets.
  const isOfKeras = weights?.kind === 'tree' && [...weights.arrays.keys()].some(hasVars);
  if (isOfKeras) return artifact;
  throw new FormatError(
    `${name} is an HDF5 file, but neither a Keras model nor Keras weights; it contains ${root.keys().slice(0, 10).join(', ') || 'nothing'}`,
  );
}

async function readJson(file: OpenFile, json: unknown, options: ReadOptions): Promise<Artifact> {
  const { isTfjs, readTfjs } = await import('./read/tfjs.js');
  if (isTfjs(json)) return readTfjs(json, file, options);
  const { readArchitecture } = await import('./read/architecture.js');
  return readArchitecture(json, file, options);
}

/**
 * Sets the weights of a model. `wholeFile` is set if config and weights are of one file, `fresh` if
 * no weight has a value yet.
 */
async function setWeights(
  model: Layer,
  weights: TreeWeights | LayerWeights,
  { name, budget }: OpenFile,
  { wholeFile, byName, ...storing }: { wholeFile: boolean; byName: boolean } & Storing,
): Promise<void> {
  const pairLayers =
    weights.kind === 'layers' ? (await import('./pair/pair_layers.js')).pairLayers : undefined;
  await withLayerTreeAsync(model, async (tree) => {
    const pairing =
      weights.kind === 'layers'
        ? pairLayers?.(tree, weights, byName)
        : await pairTree(tree, weights, wholeFile);
    if (!pairing) throw new ConfigError(`the reader of '${weights.kind}' weights is missing`);
    return setPairedWeights(pairing, name, model.name, budget, storing);
  });
}
