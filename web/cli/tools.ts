// SPDX-License-Identifier: MIT
// What commands are made of, the engine included: loaded when one runs.
import { pathToFileURL } from 'node:url';
import { ready } from '../src/index.js';
import { FormatError } from '../src/base/errors.js';
import { checkThere } from './files.js';

export { describeFile } from './info.js';
export { verify } from '../src/index.js';
export { checkOutput, readBytes, writeBytes } from './files.js';
export { readInputs, sampleInputs, whole } from './inputs.js';
export { labelOutputs, readLabels } from './labels.js';
export { openModel } from './model.js';
export { writeOutputs } from './output.js';
export { predict } from './predict.js';
export { quantizationText } from './quantization_text.js';
export { checkTarget, writeModel } from './targets.js';
export { traceText } from './trace_text.js';

export type Tools = typeof import('./tools.js');

/** The engine, and the modules of the user's. */
export async function prepare(imports: readonly string[]): Promise<void> {
  await ready();
  for (const file of imports) {
    checkThere(file);
    await import(String(pathToFileURL(file))).catch((error: Error) => {
      throw new FormatError(`--import ${file}: ${error.message.split('\n')[0]}`);
    });
  }
}
