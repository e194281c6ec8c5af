// SPDX-License-Identifier: MIT
// Implements the service `modelFiles` of every entry, behind `save`, `saveWeights` and
// `loadWeights` of a model.
import type { ModelFiles } from '../model/services.js';

/** Loads and saves models. The code is fetched at the first call. */
export const fetchedFiles: ModelFiles = {
  async loadWeights(model, source, options) {
    const { loadWeightsFrom } = await import('../formats/load.js');
    return loadWeightsFrom(model, source, options);
  },
  async save(model, name, options) {
    const { save } = await import('../formats/save.js');
    return save(model, name, options);
  },
  async saveTfjs(model, name, options) {
    const { saveTfjs } = await import('../formats/save_tfjs.js');
    return saveTfjs(model, name, options);
  },
  async saveWeights(model, name) {
    const { saveWeights } = await import('../formats/save.js');
    return saveWeights(model, name);
  },
};
