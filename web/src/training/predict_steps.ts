// SPDX-License-Identifier: MIT
// `predict` with callbacks, or with a step that the model's class overrides.
import { areBatches } from '../base/are_batches.js';
import { checkInteger, checkSignal, checkSynchronous, refuse } from '../base/check.js';
import { ConfigError } from '../base/errors.js';
import { leaves, type LayerInputs, type LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { PredictOptions } from '../model/predict_options.js';
import type { Training } from '../model/services.js';
import type { Model } from '../model/model.js';
import { usualBatch } from '../model/usual_batch.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import { inputsOfBatch } from './batch_inputs.js';
import { type CallbackList, callbacksFor } from './callback_list.js';
import { inputsOf } from './data.js';
import { overrides } from './overrides.js';
import { Outputs, predictEach, type PredictionEvents } from './predict_all.js';
import { countsOf, dataOf } from './rows.js';

type Predicting = Layer & Model & { stopPredicting?: boolean };

/** Throws ConfigError for options that the step of a batch cannot receive. */
function checkOthers(others: { [name: string]: unknown }, isOwn: boolean): void {
  const why = isOwn
    ? 'predictStep() of the class receives only x'
    : 'with callbacks or steps, the model receives only x';
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined || value === null || (name === 'training' && value === false)) continue;
    const remedy = name === 'mask' ? ', with its mask: x.withMask(mask)' : '';
    throw new ConfigError(`predict(): ${why}${remedy}; leave out '${name}'`);
  }
}

/** Returns the function that predicts a batch. */
function stepOf(model: Predicting): (inputs: LayerInputs) => LayerOutputs {
  // Without a step of its own, the model predicts all rows of the batch at once.
  if (!overrides(model, 'predictStep')) {
    return (inputs) => model.predict<LayerOutputs>(inputs, { batchSize: 0 });
  }
  return (inputs) => {
    const outputs: unknown = checkSynchronous<unknown>(
      model.predictStep([inputs as LayerOutputs]),
      'predictStep()',
    );
    const found = leaves(outputs);
    const isValid = ([, output]: [string, unknown]): boolean =>
      isTensor(output) && (output as Tensor).rank > 0;
    if (found.length > 0 && found.every(isValid)) return outputs as LayerOutputs;
    const needed = 'a tensor with a row for each sample, or a list or dictionary of these';
    return refuse('the result of predictStep()', needed, outputs);
  };
}

function predictRows(
  model: Predicting,
  inputs: unknown,
  { batchSize, steps: limit }: Pick<PredictOptions, 'batchSize' | 'steps'>,
  open: (steps: number) => CallbackList,
): LayerOutputs {
  if (batchSize !== undefined) checkInteger('batchSize', batchSize, 0, ' (all rows at once)');
  if (limit) checkInteger('steps', limit, 1);
  const step = stepOf(model);
  return tidy(() => {
    const data = dataOf([inputs, null, null], countsOf(model));
    const size = (batchSize ?? usualBatch(model)) || data.rows || 1;
    // As in Keras, more steps than batches are all rows.
    const steps = Math.max(1, Math.min(Math.ceil(data.rows / size), limit || Infinity));
    const list = open(steps);
    const outputs = new Outputs();
    list.notifyNow('onPredictBegin');
    for (let batch = 0; batch < steps; batch++) {
      list.notifyNow('onPredictBatchBegin', batch);
      const count = Math.min(size, data.rows - batch * size);
      tidy(() => {
        const predicted = step(inputsOf(data.part(batch * size, count).x));
        outputs.add(predicted);
        list.notifyNow('onPredictBatchEnd', batch, { outputs: predicted });
      });
      if (isStopped(model)) break;
    }
    list.notifyNow('onPredictEnd');
    return outputs.joined();
  });
}

const isStopped = ({ stopPredicting }: Predicting): boolean => stopPredicting === true;

const eventsOf = (model: Predicting, list: CallbackList): PredictionEvents => ({
  begin: () => list.notify('onPredictBegin'),
  batchBegins: (batch) => list.notify('onPredictBatchBegin', batch),
  async batchEnds(batch, outputs) {
    await list.notify('onPredictBatchEnd', batch, { outputs });
    return isStopped(model);
  },
  end: () => list.notify('onPredictEnd'),
});

export const predictSteps: Training['predict'] = (layer, inputs, options) => {
  const model = layer as Predicting;
  const { callbacks, verbose, batchSize, workers, steps, signal, ...others } =
    options as PredictOptions;
  const isOwn = overrides(model, 'predictStep');
  checkOthers(others, isOwn);
  if (workers !== undefined) {
    const what = isOwn ? 'predictStep() of the class' : 'callbacks and steps';
    throw new ConfigError(
      `${what} cannot be sent to workers; leave out 'workers', or open a worker of your own that calls serve()`,
    );
  }
  const listening = { ...(callbacks && { callbacks }), ...(verbose && { verbose }) };
  const open = (count: number | null) => callbacksFor(model, listening, count, signal);
  model.stopPredicting = false;
  if (isTensor(inputs) || !areBatches(inputs)) {
    return predictRows(model, inputs, { batchSize, steps } as PredictOptions, open);
  }
  if (batchSize !== undefined) {
    throw new ConfigError('batches are predicted one by one, as they are; leave out batchSize');
  }
  const later = async (): Promise<LayerOutputs> => {
    checkSignal(signal);
    const step = stepOf(model);
    const counts = countsOf(model);
    const predict = (batch: LayerInputs): LayerOutputs =>
      step(inputsOf(dataOf([inputsOfBatch(model, batch), null, null], counts).x));
    return predictEach(inputs, predict, { steps, signal }, eventsOf(model, open(null)));
  };
  return later();
};
