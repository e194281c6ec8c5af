// SPDX-License-Identifier: MIT
import type { Command } from '../command.js';
import { formatOf } from '../formats.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

export const run: Command = {
  name: 'run',
  summary: 'predictions for data',
  operands: [modelOperand],
  options: {
    input: { value: 'DATA', short: 'i', required: true, help: 'the data' },
    output: {
      value: 'FILE',
      short: 'o',
      help: '.json, .csv, .npy or .npz; without it, or with -, standard output',
    },
    format: {
      value: 'FORMAT',
      help: 'json, csv, npy or npz, where the name of the output does not say it (default json, with --labels a table)',
    },
    'batch-size': {
      value: 'N',
      help: 'rows at a time (default 32, or the fixed batch size of a stateful model; 0: all at once)',
    },
    labels: {
      value: 'LABELS',
      help: 'names of the classes, a,b,c or a file with one on each line: shows the largest output and its label',
    },
    ...padOptions,
  },
  notes: dataNotes,
  example: 'run model.keras --input data.csv --labels no,yes',
  async run(called, tools) {
    const [path, input] = [called.operand(0), called.text('input') as string];
    checkOneStdin(path, input, 'data');
    const asked = called.text('labels');
    const output = called.text('output') ?? '-';
    const format = formatOf(output, called.text('format'), asked !== undefined);
    const batchSize = called.number('batch-size', undefined, { whole: true, least: 0 });
    const padding = paddingOf(called);
    tools.checkOutput(output);
    const labels = asked === undefined ? null : tools.readLabels(asked);
    const model = await tools.openModel(path);
    const outputs = tools.predict(model, tools.readInputs(model, input, padding), batchSize);
    tools.writeBytes(
      output,
      labels ? tools.labelOutputs(outputs, labels, format) : tools.writeOutputs(outputs, format),
    );
    return undefined;
  },
};
