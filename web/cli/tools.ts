// SPDX-License-Identifier: MIT
// Functions of commands, including the engine. Loaded when a command runs.
import { pathToFileURL } from 'node:url';
import { ready } from '../src/index.js';
import { FormatError } from '../src/base/errors.js';
import type { History } from '../src/model/train_options.js';
import { checkExists } from './files.js';
import { postponeHelpers } from './run/helpers.js';
import type * as Training from './train.js';

export { checkText } from './check_text.js';
export { historyText } from './history_text.js';
export { describeFile, printSkeleton } from './info.js';
export { verify } from '../src/index.js';
export { readBytes, writeBytes } from './files.js';
export { checkInputs, readInputs, sampleInputs, whole } from './inputs.js';
export { readLabels } from './labels.js';
export { readScaler, readTokenizer } from './prepared.js';
export { openModel } from './model.js';
export { readTargets } from './training_targets.js';
export { quantizationText } from './quantization_text.js';
export { runRows } from './run/run_rows.js';
export { stateOfFiles } from './run/part_worker.js';
export { checkOutput } from './output_file.js';
export { checkTarget, writeModel } from './targets.js';
export { openTorch, refuseTorch } from './torch.js';
export { traceText } from './trace_text.js';

/** Trains a model; the code is loaded on demand. */
export async function train(
  ...args: Parameters<typeof Training.train>
): Promise<History['history']> {
  return (await import('./train.js')).train(...args);
}

/** Starts the engine as a command needs it, and runs the modules of `--import`. */
export async function prepare(
  imports: readonly string[],
  { trains, countsWork }: { trains?: boolean; countsWork?: boolean },
  threads: number | 'auto' | undefined,
): Promise<void> {
  const options = threads === undefined ? {} : { threads };
  // Classes of the user may notice that a batch runs twice.
  if (countsWork && threads !== 1 && imports.length === 0) await postponeHelpers(threads);
  // Starts the module that trains first, because the first module that starts is not replaced.
  if (trains) await (await import('../src/train.js')).ready(options);
  await ready(options);
  await runImports(imports);
}

/** Runs the modules of `--import`. */
export async function runImports(imports: readonly string[]): Promise<void> {
  for (const file of imports) {
    checkExists(file);
    await import(String(pathToFileURL(file))).catch((error: Error) => {
      throw new FormatError(`--import ${file}: ${error.message.split('\n')[0]}`);
    });
  }
}
