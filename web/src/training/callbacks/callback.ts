// SPDX-License-Identifier: MIT
// The base class of all callbacks, which users extend.
import type { LayerOutputs } from '../../layers/args.js';
import type { Model } from '../../model/model.js';
import type { Logs, TrainingCallback, TrainingParams } from '../../model/train_options.js';

/**
 * Base class of callbacks, which `fit`, `evaluate` and `predict` notify. Extend it and write the
 * methods that you need. If a method returns a promise, training waits for it.
 * `this.model.stopTraining = true` ends training after the current batch. As in Keras, events
 * without results have an empty dictionary for logs.
 */
export class Callback implements TrainingCallback {
  /** The model of the call. */
  declare model: Model;
  /** Parameters of the call. */
  declare params: TrainingParams;

  /** Keeps Vue from wrapping the callback in a Proxy, which has no private members. @internal */
  get __v_skip(): true {
    return true;
  }
  /** Receives the model before the call begins. */
  setModel(model: Model): void {
    this.model = model;
  }
  /** Receives the parameters before the call begins. */
  setParams(params: TrainingParams): void {
    this.params = params;
  }
  /** Called before the first epoch. */
  onTrainBegin(_logs?: Logs): unknown {
    return undefined;
  }
  /**
   * Called after the last epoch.
   *
   * @param _logs Logs of the last epoch, without numbers that callbacks added.
   */
  onTrainEnd(_logs: Logs): unknown {
    return undefined;
  }
  /**
   * Called before an epoch.
   *
   * @param _epoch Number of the epoch, from 0.
   */
  onEpochBegin(_epoch: number, _logs?: Logs): unknown {
    return undefined;
  }
  /**
   * Called after an epoch and its validation.
   *
   * @param _epoch Number of the epoch, from 0.
   * @param _logs Numbers added to it are in the history.
   */
  onEpochEnd(_epoch: number, _logs: Logs): unknown {
    return undefined;
  }
  /**
   * Called before a batch of training.
   *
   * @param _batch Number of the batch in its epoch, from 0.
   */
  onBatchBegin(_batch: number, _logs?: Logs): unknown {
    return undefined;
  }
  /**
   * Called after a batch of training.
   *
   * @param _batch Number of the batch in its epoch, from 0.
   * @param _logs Means since the start of the epoch.
   */
  onBatchEnd(_batch: number, _logs: Logs): unknown {
    return undefined;
  }
  /**
   * Keras's other name of `onBatchBegin`, which it calls.
   *
   * @param batch Number of the batch in its epoch, from 0.
   */
  onTrainBatchBegin(batch: number, logs?: Logs): unknown {
    return this.onBatchBegin(batch, logs);
  }
  /**
   * Keras's other name of `onBatchEnd`, which it calls.
   *
   * @param batch Number of the batch in its epoch, from 0.
   */
  onTrainBatchEnd(batch: number, logs: Logs): unknown {
    return this.onBatchEnd(batch, logs);
  }
  /** Called before a validation or `evaluate`. */
  onTestBegin(_logs?: Logs): unknown {
    return undefined;
  }
  /** Called after a validation or `evaluate`. */
  onTestEnd(_logs: Logs): unknown {
    return undefined;
  }
  /**
   * Called before a batch of a validation or `evaluate`.
   *
   * @param _batch Number of the batch, from 0.
   */
  onTestBatchBegin(_batch: number, _logs?: Logs): unknown {
    return undefined;
  }
  /**
   * Called after a batch of a validation or `evaluate`.
   *
   * @param _batch Number of the batch, from 0.
   */
  onTestBatchEnd(_batch: number, _logs: Logs): unknown {
    return undefined;
  }
  /** Called before the first batch of `predict`. */
  onPredictBegin(_logs?: Logs): unknown {
    return undefined;
  }
  /** Called after the last batch of `predict`. */
  onPredictEnd(_logs?: Logs): unknown {
    return undefined;
  }
  /**
   * Called before a batch of `predict`.
   *
   * @param _batch Number of the batch, from 0.
   */
  onPredictBatchBegin(_batch: number, _logs?: Logs): unknown {
    return undefined;
  }
  /**
   * Called after a batch of `predict`.
   *
   * @param _batch Number of the batch, from 0.
   * @param _logs The outputs of the batch, which are freed afterwards.
   */
  onPredictBatchEnd(_batch: number, _logs: { readonly outputs: LayerOutputs }): unknown {
    return undefined;
  }
}

/** Returns whether the callback has a method of its own for the event. */
export function listensTo(
  callback: TrainingCallback,
  event: Exclude<keyof TrainingCallback, 'setModel' | 'setParams'>,
): boolean {
  return typeof callback[event] === 'function' && callback[event] !== Callback.prototype[event];
}
