// SPDX-License-Identifier: MIT
import type { Command } from '../command.js';
import { print } from '../print.js';
import { modelOperand } from './shared.js';

export const convert: Command = {
  name: 'convert',
  summary: 'writes a model as .keras, as .weights.h5 or for TensorFlow.js',
  operands: [
    { ...modelOperand, name: 'IN' },
    {
      name: 'OUT',
      help: '.keras; .weights.h5 (only weights); or a folder, or model.json in one, for TensorFlow.js',
    },
  ],
  options: {
    weights: {
      value: 'FILE',
      help: 'loads the weights from FILE, and only the architecture from IN',
    },
    force: { short: 'f', help: 'replaces existing files' },
  },
  example: 'convert model.h5 model.keras',
  async run(line, tools) {
    const [from, to] = [line.operand(0), line.operand(1)];
    const target = tools.checkTarget(to, line.flag('force'));
    const model = await tools.openModel(from, line.text('weights'));
    for (const report of await tools.writeModel(model, target)) print(report);
    return undefined;
  },
};
