// SPDX-License-Identifier: MIT
// The command `maskflow info`: shows what a file of a model, of weights or of PyTorch contains.
import type { Command } from '../command.js';
import { UsageError } from '../usage.js';
import { insideOption, modelOperand } from './shared.js';

export const info: Command = {
  name: 'info',
  summary:
    'shows layers, shapes, masks, parameters and Keras version; the arrays of a weights file; or the modules of a PyTorch file',
  operands: [modelOperand],
  options: {
    json: { help: 'prints the same as JSON' },
    skeleton: {
      help: 'prints a JavaScript module with a class for each unknown class of the file, instead',
    },
    inside: insideOption,
  },
  example: 'info model.keras',
  async run(line, { describeFile, printSkeleton }) {
    if (line.flag('skeleton') && line.flag('json')) {
      throw new UsageError('--skeleton prints JavaScript: leave --json out');
    }
    if (line.flag('skeleton')) await printSkeleton(line.operand(0));
    else await describeFile(line.operand(0), line.flag('json'), line.text('inside'));
    return undefined;
  },
};
