// SPDX-License-Identifier: MIT
import { ConfigError, FormatError, MaskflowError, StateError, ValueError } from '../errors.js';
import type { LoadOptions, LoadWeightsOptions } from '../load_model.js';
import type { Model } from '../model.js';
import type { Artifact } from './artifact.js';
import { buildModel } from './build_model.js';
import { openHdf5 } from './hdf5.js';
import { parseJsonBytes } from './json_text.js';
import { readKerasFile, readWeightsFile } from './keras_file.js';
import { pairTree } from './pair_tree.js';
import { setPaired } from './pairing.js';
import { containerOf } from './recognise.js';
import { type ModelSource, type OpenFile, openSource, unnamed } from './source.js';
import { whileLayerTree } from './tree.js';

/** See `loadModel`. @internal */
export async function loadModelFrom(
  ready: () => Promise<void>,
  source: ModelSource,
  options: LoadOptions,
): Promise<Model> {
  const [file] = await Promise.all([openSource(source, options), ready()]);
  const artifact = await readArtifact(file);
  options.signal?.throwIfAborted();
  if (!artifact.config) {
    throw new FormatError(
      `${file.name} has weights only, no architecture: build the model and call model.loadWeights(…), or save it whole with model.save("name.keras")`,
    );
  }
  const model = await buildModel({ ...artifact, config: artifact.config }, options, file.budget);
  try {
    await setWeights(model, artifact, file, { wholeFile: true, byName: false });
    const { quantize } = options;
    if (quantize) await model.quantize('int8', quantize === 'int8' ? {} : quantize);
  } catch (error) {
    model.dispose();
    throw error;
  }
  return model;
}

/** See `Model.loadWeights`. @internal */
export async function loadWeightsFrom(
  model: Model,
  source: ModelSource,
  options: LoadWeightsOptions,
): Promise<void> {
  const file = await openSource(source, options);
  const artifact = await readArtifact(file);
  options.signal?.throwIfAborted();
  if (!model.built && model.weights.length === 0) {
    throw new StateError(
      `'${model.name}' has no weights yet: begin it with an Input, call model.build(shape), or call it once`,
    );
  }
  const { byName = false } = options;
  if (byName && artifact.weights.kind === 'tree') {
    throw new ValueError(
      `${file.name} keeps weights by their place, not by layer names: byName is for the .h5 of Keras 1 and 2`,
    );
  }
  await setWeights(model, artifact, file, { wholeFile: false, byName });
}

/** What a file holds, whichever of the formats it is in. Errors name the file. */
export async function readArtifact(file: OpenFile): Promise<Artifact> {
  try {
    return await readContainer(file);
  } catch (error) {
    const { name } = file;
    if (error instanceof MaskflowError && name !== unnamed && !error.message.includes(name)) {
      error.message = `${name}: ${error.message}`;
    }
    throw error;
  }
}

async function readContainer(file: OpenFile): Promise<Artifact> {
  const { bytes, name, budget } = file;
  const container = containerOf(bytes, name);
  if (container === 'zip') return readKerasFile(bytes, name, budget);
  if (container === 'json') return readJson(file);
  const root = openHdf5(bytes, budget);
  const { isLegacyH5, readLegacyH5 } = await import('./legacy_h5.js');
  if (isLegacyH5(root)) return readLegacyH5(root, budget);
  const artifact = await readWeightsFile(root, budget);
  if (artifact.weights.kind === 'tree' && artifact.weights.arrays.size > 0) return artifact;
  throw new FormatError(
    `${name} is an HDF5 file, but neither a model nor weights of Keras; it holds ${root.keys().slice(0, 10).join(', ') || 'nothing'}`,
  );
}

async function readJson(file: OpenFile): Promise<Artifact> {
  const json = parseJsonBytes(file.bytes, file.name, file.budget);
  const { isTfjs, readTfjs } = await import('./tfjs.js');
  if (isTfjs(json)) return readTfjs(json, file);
  const what =
    typeof json === 'object' && json !== null && 'class_name' in json
      ? 'is an architecture without weights: make it with Model.fromConfig and load weights with loadWeights'
      : 'is JSON, but not the model.json of a TF.js model, which has modelTopology and weightsManifest';
  throw new FormatError(`${file.name} ${what}`);
}

async function setWeights(
  model: Model,
  { weights }: Artifact,
  { name, budget }: OpenFile,
  { wholeFile, byName }: { wholeFile: boolean; byName: boolean },
): Promise<void> {
  const pairLayers =
    weights.kind === 'layers' ? (await import('./pair_layers.js')).pairLayers : undefined;
  await whileLayerTree(model, (tree) => {
    const pairing =
      weights.kind === 'layers'
        ? pairLayers?.(tree, weights, byName)
        : pairTree(tree, weights, wholeFile);
    if (!pairing) throw new ConfigError('weights without a reader');
    return setPaired(pairing, name, model.name, budget);
  });
}
