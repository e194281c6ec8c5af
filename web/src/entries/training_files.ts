// SPDX-License-Identifier: MIT
// Implements the service `trainingFiles`: the state of `compile` in `.keras` and `.h5` files.
import type { Training } from '../formats/training/entry.js';
import { lossConfigOf } from '../measures/loss.js';
import { losses } from '../measures/measures.gen.js';
import { Metric } from '../measures/metric.js';
import type { TrainingFiles } from '../model/services.js';
import { compile, compiledOf } from '../training/compiled.js';
import { mapChoices, isConfig, levels } from '../training/configurations.js';

const training: Training = {
  compile,
  compiledOf,
  mapChoices,
  isConfig,
  levels,
  lossConfigOf,
  losses,
  Metric,
};

/**
 * Reads and writes the training of models in files. The code is fetched for compiled models only.
 */
export const compiledFiles: TrainingFiles = {
  async writer(model) {
    if (!('compiled' in model)) return null;
    const { storedTraining } = await import('../formats/training/write.js');
    return () => storedTraining(model, training);
  },
  async read(model, file) {
    if (!file.compileConfig) return;
    const { readTraining } = await import('../formats/training/read.js');
    readTraining(model, file, training);
  },
  async stateWriter(model) {
    if (!('compiled' in model)) return null;
    const { storedState } = await import('../formats/training/write.js');
    return () => storedState(model, training);
  },
  async stateReader(model, artifact, file) {
    if (!('compiled' in model)) return null;
    const { stateReader } = await import('../formats/training/read.js');
    return stateReader(model, artifact, file, training);
  },
};
