// SPDX-License-Identifier: MIT
import { checkOptions, checkText } from '../base/check.js';
import { StateError, ValueError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { SaveOptions } from '../model/load_options.js';
import { type StoredTraining, trainingFiles } from '../model/services.js';

import { kerasConfig } from './write/keras_config.js';
import { pythonJson } from './write/python_json.js';
import type { Scaling } from './write/old_hard_sigmoid.js';
import { ruleOf } from './build/mask_rule.js';
import { writeFile } from './write/write_file.js';
import { nodesOf, withLayerTree } from './tree.js';
import { weightsFile } from './write/weights_file.js';
import { writeZip } from './zip/write_zip.js';
import { encodeUtf8 } from '../engine/utf8.js';

/** Whose layout the files have; the version also says which rule about masks the model follows. */
const versions = { 'keras-3.15': '3.15.1', 'keras-3.16': '3.16.0' };

/** 2026-11-21@11:30:00, local time, as Keras writes it. */
function timestamp(now = new Date()): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${date}@${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')}`;
}

/** StateError when no layer has been called yet. */
export function checkBuilt(model: Layer): void {
  // A Sequential model behind an Input is not called itself, but its layers are.
  const built = withLayerTree(model, (tree) =>
    [...nodesOf(tree)].some(({ info }) => info.built && info.className !== 'InputLayer'),
  );
  if (built) return;
  throw new StateError(
    `'${model.name}' has no weights yet; call it once, or build() it, before saving it`,
  );
}

/** The bytes of a `.keras` file: metadata, configuration and weights, in the order and form of Keras 3. */
export function kerasFile(model: Layer, training: StoredTraining | null = null): Uint8Array {
  checkBuilt(model);
  const scalings = new Map<number, Scaling>();
  const config = kerasConfig(model, scalings);
  if (training) config['compile_config'] = training.config;
  const metadata = {
    keras_version: versions[ruleOf(model)],
    date_saved: timestamp(),
  };
  return writeZip(
    new Map([
      ['metadata.json', encodeUtf8(pythonJson(metadata))],
      ['config.json', encodeUtf8(pythonJson(config))],
      ['model.weights.h5', weightsFile(model, scalings, training?.groups)],
    ]),
  );
}

/** Writes a `.keras` file, when there is a name, and gives its bytes. */
export async function save(
  model: Layer,
  name: string | undefined,
  options: SaveOptions,
): Promise<Uint8Array> {
  const { includeOptimizer = true } = checkOptions(options, { includeOptimizer: 1 });
  if (name !== undefined) checkText(name, 'the name of a file');
  if (name !== undefined && !name.endsWith('.keras')) {
    throw new ValueError(
      `a model is saved as '.keras', or for TensorFlow.js as 'model.json', not as '${name}'; saveWeights() writes '.weights.h5'`,
    );
  }
  const files = includeOptimizer ? trainingFiles.supplied : undefined;
  const training = await files?.writer(model);
  // (Weights and state of one moment: nothing waits between them.)
  const bytes = kerasFile(model, training?.());
  if (name !== undefined) await writeFile(name, bytes);
  return bytes;
}

/** Writes a `.weights.h5` file, when there is a name, and gives its bytes. */
export async function saveWeights(model: Layer, name: string | undefined): Promise<Uint8Array> {
  if (name !== undefined) checkText(name, 'the name of a file');
  if (name !== undefined && !name.endsWith('.weights.h5')) {
    throw new ValueError(`weights are saved as '.weights.h5', as in Keras, not as '${name}'`);
  }
  checkBuilt(model);
  const bytes = weightsFile(model);
  if (name !== undefined) await writeFile(name, bytes);
  return bytes;
}
