// SPDX-License-Identifier: MIT
// What commands are made of, the engine included: loaded when one runs.
import { pathToFileURL } from 'node:url';
import { ready } from '../src/index.js';
import { FormatError } from '../src/base/errors.js';
import type { History } from '../src/model/train_options.js';
import { checkThere } from './files.js';
import type * as Training from './train.js';

export { historyText } from './history_text.js';
export { describeFile } from './info.js';
export { verify } from '../src/index.js';
export { checkOutput, readBytes, writeBytes } from './files.js';
export { readInputs, sampleInputs, whole } from './inputs.js';
export { labelOutputs, readLabels } from './labels.js';
export { openModel } from './model.js';
export { readTargets } from './training_targets.js';
export { writeOutputs } from './output.js';
export { predict } from './predict.js';
export { quantizationText } from './quantization_text.js';
export { checkTarget, writeModel } from './targets.js';
export { traceText } from './trace_text.js';

/** Loaded where a command trains. */
export async function train(
  ...args: Parameters<typeof Training.train>
): Promise<History['history']> {
  return (await import('./train.js')).train(...args);
}

/** The engine, with what trains where a command needs that, and the modules of the user's. */
export async function prepare(imports: readonly string[], trains = false): Promise<void> {
  // (What runs first stays.)
  if (trains) await (await import('../src/train.js')).ready();
  await ready();
  for (const file of imports) {
    checkThere(file);
    await import(String(pathToFileURL(file))).catch((error: Error) => {
      throw new FormatError(`--import ${file}: ${error.message.split('\n')[0]}`);
    });
  }
}
