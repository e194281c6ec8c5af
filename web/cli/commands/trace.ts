// SPDX-License-Identifier: MIT
import type { Command } from '../command.js';
import { jsonText, print } from '../print.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

export const trace: Command = {
  name: 'trace',
  summary: 'shows what each layer does with the mask, and why',
  operands: [modelOperand, { name: 'DATA', help: 'the data to run the model on' }],
  options: {
    'mask-operations': { help: 'also lists operations that only compute a mask' },
    json: { help: 'prints all entries as JSON, with the masks' },
    ...padOptions,
  },
  notes: `${dataNotes}\nIn pictures of small masks, ■ is a kept step and · a masked one.`,
  example: 'trace model.keras data.csv --pad',
  async run(line, tools) {
    const [path, data] = [line.operand(0), line.operand(1)];
    checkOneStdin(path, data, 'data');
    const padding = paddingOf(line);
    const model = await tools.openModel(path);
    const inputs = tools.readInputs(model, data, padding);
    const maskOperations = line.flag('mask-operations');
    const entries = model.traceMasks(tools.whole(inputs), { maskOperations });
    print(line.flag('json') ? jsonText(entries, 2) : tools.traceText(model.name, entries));
    return undefined;
  },
};
