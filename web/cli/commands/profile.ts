// SPDX-License-Identifier: MIT
// The command `maskflow profile`: measures each layer of a model.
import type { Command } from '../command.js';
import { jsonText, print } from '../print.js';
import { UsageError } from '../usage.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

export const profile: Command = {
  name: 'profile',
  summary: 'measures time, operations and kept steps of each layer',
  computes: true,
  operands: [modelOperand],
  options: {
    input: {
      value: 'DATA',
      short: 'i',
      help: 'the data, all rows at once; without it numbers are generated',
    },
    rows: { value: 'N', help: 'number of generated rows (default 1)' },
    steps: {
      value: 'N',
      help: 'their number of steps if the model accepts any (default 32)',
    },
    repeats: {
      value: 'N',
      help: 'number of timed calls, after one that is not timed (default 10)',
    },
    json: { help: 'prints the same as JSON' },
    ...padOptions,
  },
  notes: dataNotes,
  example: 'profile model.keras --rows 16 --steps 100',
  async run(line, tools) {
    const [path, input] = [line.operand(0), line.text('input')];
    checkOneStdin(path, input, 'data');
    const idle = ['rows', 'steps'].find((name) => line.has(name));
    if (idle && input !== undefined)
      throw new UsageError(
        `--${idle} is for generated numbers; leave it out, or leave out --input`,
      );
    const count = { integer: true, least: 1 };
    const rows = line.number('rows', 1, count);
    const steps = line.number('steps', 32, count);
    const repeats = line.number('repeats', 10, count);
    const padding = paddingOf(line);
    const model = await tools.openModel(path);
    const inputs =
      input === undefined
        ? tools.sampleInputs(model, rows, steps)
        : tools.readInputs(model, input, padding);
    const result = await model.profile(tools.whole(inputs), { repeats });
    print(line.flag('json') ? jsonText(result, 2) : String(result));
    return undefined;
  },
};
