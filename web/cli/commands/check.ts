// SPDX-License-Identifier: MIT
// The command `maskflow check`: finds out whether padding changes the answer of a model.
import type { Command } from '../command.js';
import { jsonText, print } from '../print.js';
import { exitCodes, UsageError } from '../usage.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

export const check: Command = {
  name: 'check',
  summary: 'says whether padding changes the answer, and where',
  operands: [modelOperand],
  options: {
    input: {
      value: 'DATA',
      short: 'i',
      help: 'rows to check; without them numbers are generated',
    },
    steps: { value: 'N', help: 'number of steps of padding that are appended (default 5)' },
    json: { help: 'prints the result as JSON' },
    ...padOptions,
  },
  notes: `${dataNotes}\nThe exit code is 1 if padding changes the answer.`,
  example: 'check model.keras',
  async run(line, tools) {
    const [path, input] = [line.operand(0), line.text('input')];
    checkOneStdin(path, input, 'data');
    const steps = line.number('steps', 5, { integer: true, least: 1 });
    const padding = paddingOf(line);
    const model = await tools.openModel(path);
    if (input === undefined && padding !== null) {
      throw new UsageError('options of padding are for --input; add it, or leave them out');
    }
    const inputs =
      input === undefined ? tools.checkInputs(model) : tools.readInputs(model, input, padding);
    const result = await model.checkPadding(tools.whole(inputs), { steps });
    print(line.flag('json') ? jsonText(result, 2) : tools.checkText(result));
    return result.same ? exitCodes.fine : exitCodes.failed;
  },
};
