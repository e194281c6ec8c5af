// SPDX-License-Identifier: MIT
// Everything that `maskflow/train` adds to `maskflow`. The training worker has it, too.
import { recordUnknownLength } from '../layers/function_call.js';
import { moreClasses } from '../layers/more_classes.gen.js';
import { recurrentClasses } from '../layers/recurrent_classes.gen.js';
import { trainingClasses } from '../layers/training_classes.gen.js';
import { layerVariables } from '../layers/variable.js';
import {
  batchEvaluation,
  type EvaluateBatches,
  evaluation,
  remoteTraining,
  training,
  trainingFiles,
} from '../model/services.js';
import { unknownLengths } from '../ops/in_graphs.js';
import { evaluateBatches, evaluateCompiled } from '../training/evaluate_compiled.js';
import { modelTraining } from '../training/train.js';
import { listByTrainable } from '../training/variables.js';
import { allLayers } from './all_layers.js';
import type { Content } from './start.js';
import { supplyClasses } from './supply_classes.js';
import { compiledFiles } from './training_files.js';

/** Content of the module that trains. */
export const allTraining: Content = {
  ...allLayers,
  layers: 'train',
  supply() {
    allLayers.supply();
    supplyClasses({ ...recurrentClasses, ...moreClasses, ...trainingClasses });
    evaluation.supplied = evaluateCompiled;
    batchEvaluation.supplied = evaluateBatches as EvaluateBatches;
    layerVariables.supplied = listByTrainable;
    unknownLengths.supplied = recordUnknownLength;
    training.supplied = modelTraining;
    trainingFiles.supplied = compiledFiles;
    remoteTraining.supplied = async () =>
      (await import('../worker/train_operations.js')).trainOperations;
  },
};
