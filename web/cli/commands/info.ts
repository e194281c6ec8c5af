// SPDX-License-Identifier: MIT
import type { Command } from '../command.js';
import { modelOperand } from './shared.js';

export const info: Command = {
  name: 'info',
  summary:
    'shows layers, shapes, masks, parameters and Keras version; or the arrays of a weights file',
  operands: [modelOperand],
  options: { json: { help: 'prints the same as JSON' } },
  example: 'info model.keras',
  async run(line, { describeFile }) {
    await describeFile(line.operand(0), line.flag('json'));
    return undefined;
  },
};
