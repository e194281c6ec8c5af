// SPDX-License-Identifier: MIT
import { trainingServices } from '../training/train.js';
import { giveVariables } from '../training/variables.js';
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
    trainingFiles: {
      async writer(model) {
        if (!('compiled' in model)) return null;
        const { storedTraining } = await import('../formats/training/write.js');
        return () => storedTraining(model);
      },
      async read(model, file) {
        const { readTraining } = await import('../formats/training/read.js');
        readTraining(model, file);
      },
    },
    remoteTraining: async () => (await import('../worker/train_operations.js')).trainOperations,
  },
};
