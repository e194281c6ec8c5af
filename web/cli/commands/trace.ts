// SPDX-License-Identifier: MIT
// The command `maskflow trace`: shows what each layer does with the mask.
import type { Command } from '../command.js';
import { jsonText, print } from '../print.js';
import { UsageError } from '../usage.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

export const trace: Command = {
  name: 'trace',
  summary: 'shows what each layer does with the mask, and why',
  operands: [modelOperand, { name: 'DATA', help: 'the data to run the model on' }],
  options: {
    'mask-operations': { help: 'also lists operations that only compute a mask' },
    json: { help: 'prints all entries as JSON, with the masks' },
    svg: { value: 'FILE', help: 'draws the trace as SVG into FILE instead (-: standard output)' },
    force: { short: 'f', help: 'replaces an existing FILE of --svg' },
    ...padOptions,
  },
  notes: `${dataNotes}\nIn pictures of small masks, ■ is a kept step and · a masked one.`,
  example: 'trace model.keras data.csv --pad',
  async run(line, tools) {
    const [path, data] = [line.operand(0), line.operand(1)];
    checkOneStdin(path, data, 'data');
    const padding = paddingOf(line);
    const svg = line.text('svg');
    if (svg !== undefined && line.flag('json')) {
      throw new UsageError('--svg draws a picture: leave --json out');
    }
    if (svg !== undefined) tools.checkOutput(svg, line.flag('force'));
    const model = await tools.openModel(path);
    const inputs = tools.readInputs(model, data, padding);
    const maskOperations = line.flag('mask-operations');
    const entries = model.traceMasks(tools.whole(inputs), { maskOperations });
    if (svg !== undefined) {
      const { drawTrace } = await import('../../src/draw.js');
      await tools.writeBytes(svg, new TextEncoder().encode(drawTrace(entries)));
      return undefined;
    }
    print(line.flag('json') ? jsonText(entries, 2) : tools.traceText(model.name, entries));
    return undefined;
  },
};
