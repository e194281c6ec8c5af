// SPDX-License-Identifier: MIT
import type { Model } from '../../model/model.js';
import type { Logs, TrainingCallback, TrainingParams } from '../../model/train_options.js';

/**
 * Is told of what happens in `fit`: extend it and write the methods that you need. What they return is waited for if it is a
 * promise: training pauses meanwhile. `this.model.stopTraining = true` ends it after the batch it is at.
 */
export class Callback implements TrainingCallback {
  /** The model that is trained. */
  declare model: Model;
  declare params: TrainingParams;

  setModel(model: Model): void {
    this.model = model;
  }
  setParams(params: TrainingParams): void {
    this.params = params;
  }
  onTrainBegin(): unknown {
    return undefined;
  }
  /** @param _logs Those of the last epoch. */
  onTrainEnd(_logs: Logs): unknown {
    return undefined;
  }
  onEpochBegin(_epoch: number): unknown {
    return undefined;
  }
  /** @param _logs What is added to them comes into the history. */
  onEpochEnd(_epoch: number, _logs: Logs): unknown {
    return undefined;
  }
  onBatchBegin(_batch: number): unknown {
    return undefined;
  }
  /** @param _logs Means since the epoch began. */
  onBatchEnd(_batch: number, _logs: Logs): unknown {
    return undefined;
  }
  onTestBegin(): unknown {
    return undefined;
  }
  onTestEnd(_logs: Logs): unknown {
    return undefined;
  }
  onTestBatchBegin(_batch: number): unknown {
    return undefined;
  }
  onTestBatchEnd(_batch: number, _logs: Logs): unknown {
    return undefined;
  }
}

/** Has the callback nothing to do there? */
export function isIdle(
  callback: TrainingCallback,
  event: Exclude<keyof TrainingCallback, 'setModel' | 'setParams'>,
): boolean {
  return typeof callback[event] !== 'function' || callback[event] === Callback.prototype[event];
}
