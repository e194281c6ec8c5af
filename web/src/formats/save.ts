// SPDX-License-Identifier: MIT
// The chunk of `save` and `saveWeights`. Training adds its part through the service
// `trainingFiles`.
import { checkOptions, checkText, refuse } from '../base/check.js';
import { ConfigError, StateError, ValueError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { SaveOptions } from '../model/load_options.js';
import { type StoredTraining, trainingFiles } from '../model/services.js';
import type { CompletesConfig } from './text_splitting.js';
import { kerasConfig } from './write/keras_config.js';
import { pythonJson } from './write/python_json.js';
import type { Scaling } from './write/old_hard_sigmoid.js';
import { ruleOf } from './build/mask_rule.js';
import { isPlace, isTfjsScheme } from './open/open_file.js';
import { writeFile } from './write/write_file.js';
import { assetsOf } from './own_saving.js';
import { nodesOf, withLayerTree } from './tree.js';
import { weightsFile } from './write/weights_file.js';
import { writeZip } from './zip/write_zip.js';
import { encodeUtf8 } from '../engine/utf8.js';

/** Keras version that a file names, by mask rule: readers infer the rule from the version. */
const kerasVersions = { 'keras-3.15': '3.15.1', 'keras-3.16': '3.16.0' };

/** The local time in Keras's form, such as 2026-11-21@11:30:00. */
function timestamp(now = new Date()): string {
  const twoDigits = (number: number): string => String(number).padStart(2, '0');
  const date = [now.getFullYear(), twoDigits(now.getMonth() + 1), twoDigits(now.getDate())].join(
    '-',
  );
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join(':');
  return `${date}@${time}`;
}

/** Throws StateError if no layer is built. */
export function checkBuilt(model: Layer): void {
  // A Sequential model that starts with an Input is never called itself, only its layers.
  const isBuilt = withLayerTree(model, (tree) =>
    [...nodesOf(tree)].some(({ info }) => info.built && info.className !== 'InputLayer'),
  );
  if (isBuilt) return;
  throw new StateError(
    `'${model.name}' has no weights yet; call it once or call build(shape) before saving it`,
  );
}

/** The bytes of a `.keras` file as Keras 3 writes it: metadata, config and weights. */
function kerasFile(
  model: Layer,
  training: StoredTraining | null | undefined,
  isSmall: boolean,
): Uint8Array {
  checkBuilt(model);
  const scalings = new Map<number, Scaling>();
  const complete = kerasConfig(model, scalings);
  const config = (model as Partial<CompletesConfig>).completeConfig?.(complete) ?? complete;
  if (training) config['compile_config'] = training.config;
  const metadata = {
    keras_version: kerasVersions[ruleOf(model)],
    date_saved: timestamp(),
  };
  return writeZip(
    new Map([
      ['metadata.json', encodeUtf8(pythonJson(metadata))],
      ['config.json', encodeUtf8(pythonJson(config))],
      ['model.weights.h5', weightsFile(model, scalings, training?.groups, isSmall)],
      ...withLayerTree(model, (tree) => assetsOf(nodesOf(tree))),
    ]),
  );
}

/**
 * Implements `Model.save`: returns the bytes of a `.keras` file, and writes the file if there is a
 * name. Throws ValueError for a name with another ending.
 */
export async function save(
  model: Layer,
  name: string | undefined,
  options: SaveOptions,
): Promise<Uint8Array> {
  const { includeOptimizer = true, weights = 'float32' } = checkOptions(options, {
    includeOptimizer: 1,
    weights: 1,
  });
  if (!['float32', 'float16'].includes(weights)) {
    refuse('weights', "'float32' or 'float16'", weights, ConfigError);
  }
  if (name !== undefined) checkText(name, 'the name of a file');
  if (isTfjsScheme(name)) {
    throw new ValueError(
      `'${name}' is a place of TensorFlow.js; write save('model.keras'), which downloads in browsers, or save('indexeddb://name')`,
    );
  }
  if (name !== undefined && !isPlace(name) && !name.endsWith('.keras')) {
    throw new ValueError(
      `the name '${name}' does not end in '.keras'; use saveTfjs() for 'model.json' and saveWeights() for '.weights.h5'`,
    );
  }
  const files = includeOptimizer ? trainingFiles.supplied : undefined;
  const training = await files?.writer(model);
  // No await between weights and optimizer state: both must be of the same step.
  const bytes = kerasFile(model, training?.(), weights === 'float16');
  if (name !== undefined) await writeFile(name, bytes);
  return bytes;
}

/**
 * Implements `Model.saveWeights`: returns the bytes of a `.weights.h5` file, and writes the file if
 * there is a name. Throws ValueError for a name with another ending.
 */
export async function saveWeights(model: Layer, name: string | undefined): Promise<Uint8Array> {
  if (name !== undefined) checkText(name, 'the name of a file');
  if (name !== undefined && !isPlace(name) && !name.endsWith('.weights.h5')) {
    throw new ValueError(
      `the name '${name}' does not end in '.weights.h5'; save() writes '.keras'`,
    );
  }
  checkBuilt(model);
  const state = await trainingFiles.supplied?.stateWriter(model);
  const bytes = weightsFile(model, undefined, state?.());
  if (name !== undefined) await writeFile(name, bytes);
  return bytes;
}
