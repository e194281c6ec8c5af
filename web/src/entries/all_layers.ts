// SPDX-License-Identifier: MIT
// Everything that `maskflow` adds to `maskflow/recurrent`. The workers and the classic script have
// it, too.
import { moreClasses } from '../layers/more_classes.gen.js';
import { recurrentClasses } from '../layers/recurrent_classes.gen.js';
import { reasonOfLayer, remedyOfLayer } from '../model/layer_remedies.js';
import { layerWords } from '../model/trace_words.js';
import { batchEvaluation, evaluation, streaming } from '../model/services.js';
import { streamOf } from '../model/stream.js';
import { addedLosses } from '../layers/added_losses.js';
import { ownVariables } from '../layers/free_variable.js';
import { freeVariables } from '../layers/variable.js';
import { lossesOfLayers } from '../training/layer_losses.js';
import { evaluate } from '../training/evaluate.js';
import { Identity } from '../base/identity.js';
import { renameFormer } from '../layers/former_names.js';
import { formerNames } from '../layers/native_config.js';
import { explainPythonNames } from '../layers/python_names.js';
import { seeding } from '../engine/runtime.js';
import { reseed } from '../ops/random_source.js';
import { Tensor } from '../tensor/tensor.js';
import { hintMethods } from '../ops/other_names.js';
import type { Content } from './start.js';
import { supplyClasses } from './supply_classes.js';

/** Content of the module with all layers. */
export const allLayers: Content = {
  layers: 'all',
  absentNote: '',
  supply() {
    supplyClasses({ ...recurrentClasses, ...moreClasses });
    evaluation.supplied = evaluate;
    batchEvaluation.supplied = async (...call) =>
      (await import('../training/evaluate_batches.js')).evaluateBatches(...call);
    seeding.supplied = reseed;
    hintMethods();
    formerNames.supplied = renameFormer;
    for (const base of [Identity, Tensor]) explainPythonNames(base);
    addedLosses.supplied = lossesOfLayers;
    freeVariables.supplied = ownVariables;
    streaming.supplied = streamOf;
    layerWords.supplied = { remedy: remedyOfLayer, reason: reasonOfLayer };
  },
};
