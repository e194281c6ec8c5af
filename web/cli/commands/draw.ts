// SPDX-License-Identifier: MIT
// The command `maskflow draw`: draws the layers of a model as SVG.
import type { Command } from '../command.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

export const draw: Command = {
  name: 'draw',
  summary: 'draws the layers of a model as SVG, and with data the mask along its edges',
  operands: [
    modelOperand,
    { name: 'DATA', help: 'data to run the model on, for its masks', optional: true },
  ],
  options: {
    output: { value: 'FILE', short: 'o', help: 'an .svg file (default and -: standard output)' },
    title: { value: 'TEXT', help: 'the heading (default: the name of the model)' },
    theme: {
      value: 'THEME',
      help: 'auto, light or dark: the colours follow the reader (default) or are fixed',
    },
    force: { short: 'f', help: 'replaces an existing file' },
    ...padOptions,
  },
  notes: dataNotes,
  example: 'draw model.keras data.csv --pad -o model.svg',
  async run(line, tools) {
    const path = line.operand(0);
    const data = line.operand(1);
    checkOneStdin(path, data, 'data');
    const padding = paddingOf(line);
    const theme = line.choice('theme', ['auto', 'light', 'dark'], 'auto');
    const title = line.text('title');
    const output = line.text('output') ?? '-';
    tools.checkOutput(output, line.flag('force'));
    const model = await tools.openModel(path);
    const inputs = data === '' ? undefined : tools.whole(tools.readInputs(model, data, padding));
    const { drawModel } = await import('../../src/draw.js');
    const svg = drawModel(model, inputs, { theme, ...(title !== undefined && { title }) });
    await tools.writeBytes(output, new TextEncoder().encode(svg));
    return undefined;
  },
};
