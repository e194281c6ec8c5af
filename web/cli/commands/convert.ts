// SPDX-License-Identifier: MIT
// The command `maskflow convert`: writes a model in another format.
import type { Command } from '../command.js';
import { print } from '../print.js';
import { insideOption, modelOperand } from './shared.js';

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
    modules: {
      value: 'PATHS',
      help: 'for a file of PyTorch: the modules of the model in order, as in embedding,rnn,fc',
    },
    options: {
      value: 'JSON',
      help: 'settings of these modules, as in {"embedding": {"maskZero": true}, "rnn": {"returnSequences": false}}',
    },
    'input-shape': {
      value: 'SHAPE',
      help: 'for a file of PyTorch: shape of the input without the batch, as in none,9 (default: by the first module; for a Linear one row of features)',
    },
    inside: insideOption,
    force: { short: 'f', help: 'replaces existing files' },
  },
  example: 'convert model.h5 model.keras',
  async run(line, tools) {
    const [from, to] = [line.operand(0), line.operand(1)];
    const target = tools.checkTarget(to, line.flag('force'));
    const modules = line.text('modules');
    if (modules === undefined) await tools.refuseTorch(from);
    const model =
      modules === undefined
        ? await tools.openModel(from, line.text('weights'))
        : await tools.openTorch(from, modules, {
            options: line.text('options'),
            inside: line.text('inside'),
            inputShape: line.text('input-shape'),
          });
    for (const report of await tools.writeModel(model, target)) print(report);
    return undefined;
  },
};
