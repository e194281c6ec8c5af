// SPDX-License-Identifier: MIT
// The callback `callbacks.terminateOnNaN`. The option `onNaN` of `fit` also names the layer.
import type { Logs } from '../../model/train_options.js';
import { Callback } from './callback.js';

/** Ends training after a batch whose loss is not finite. */
export class TerminateOnNaN extends Callback {
  /** Ends training if the loss is NaN or infinite. */
  override onBatchEnd(batch: number, { loss }: Logs): void {
    if (loss === undefined || Number.isFinite(loss)) return;
    console.log(`Batch ${batch}: Invalid loss, terminating training`);
    this.model.stopTraining = true;
  }
}
