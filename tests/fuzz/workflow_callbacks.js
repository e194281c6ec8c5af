// SPDX-License-Identifier: MIT
// The callbacks of keras_workflow_callbacks.py.
import * as mf from '../../dist/train.js';
import { camel } from '../support/recorded_cases.js';
import { startValues } from './workflow_data.js';

const spelled = (config) =>
  Object.fromEntries(Object.entries(config).map(([key, value]) => [camel(key), value]));

const numbered = ['epoch', 'train_batch', 'test_batch', 'predict_batch'];
const names = ['train', 'test', 'predict', ...numbered].flatMap((kind) =>
  ['begin', 'end'].map((end) => [`on_${kind}_${end}`, numbered.includes(kind)]),
);

/** Records each event with its number, and with the names of the logs if it is an end. */
function recorder(events) {
  const callback = new mf.Callback();
  for (const [name, isNumbered] of names) {
    callback[camel(name)] = (...given) => {
      const logs = given[isNumbered ? 1 : 0] ?? {};
      const hasLogs = name.endsWith('end') && !name.includes('predict');
      const keys = hasLogs ? Object.keys(logs).sort() : [];
      events.push([name, ...(isNumbered ? [given[0]] : []), keys]);
    };
  }
  return callback;
}

/** Changes something of the model at the end of an epoch, or ends the training. */
function changer(config, model, objects) {
  const callback = new mf.Callback();
  const { kind, at, value } = config;
  callback.onTrainBatchEnd = (batch) => {
    if (kind === 'stop' && batch === at) model.stopTraining = true;
  };
  callback.onEpochEnd = (epoch, logs) => {
    if (kind === 'rate' && epoch === at) model.optimizer.learningRate = value;
    if (kind === 'log') logs.mine = epoch;
    if (kind === 'weights') model.setWeights(startValues(model, config.seed));
  };
  callback.onTrainEnd = () => {
    if (kind === 'freeze') objects[config.on].trainable = value;
  };
  return callback;
}

export function callbackOf(config, model, objects, events) {
  switch (config.kind) {
    case 'early':
      return mf.callbacks.earlyStopping(spelled(config.config));
    case 'plateau':
      return mf.callbacks.reduceLROnPlateau(spelled(config.config));
    case 'schedule':
      return mf.callbacks.learningRateScheduler((epoch, rate) => (epoch ? rate * 0.5 : rate));
    case 'events':
      return recorder(events);
    default:
      return changer(config, model, objects);
  }
}
