// SPDX-License-Identifier: MIT
import { trainingServices } from '../training/train.js';
import { giveVariables } from '../training/variables.js';
import { trainingFiles } from './training_files.js';
import { allLayers } from './all_layers.js';
import type { Entry } from './start.js';

/** What stands on the module that trains, wherever its wasm comes from. */
export const allTraining: Omit<Entry, 'chunks'> = {
  ...allLayers,
  layers: 'train',
  wrapLayers() {
    allLayers.wrapLayers();
    giveVariables();
  },
  services: {
    ...allLayers.services,
    ...trainingServices,
    trainingFiles,
    remoteTraining: async () => (await import('../worker/train_operations.js')).trainOperations,
  },
};
