// SPDX-License-Identifier: MIT
import type { Command } from '../command.js';
import { formatOf } from '../formats.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

export const run: Command = {
  name: 'run',
  summary: 'predicts',
  operands: [modelOperand],
  options: {
    input: { value: 'DATA', short: 'i', required: true, help: 'the data' },
    output: {
      value: 'FILE',
      short: 'o',
      help: '.json, .csv, .npy or .npz (default and -: standard output)',
    },
    format: {
      value: 'FORMAT',
      help: 'json, csv, npy or npz, if the name of the output does not say it (default json, with --labels a table)',
    },
    'batch-size': {
      value: 'N',
      help: 'rows computed at a time (default 32, or the fixed batch size of a stateful model; 0: all at once)',
    },
    labels: {
      value: 'LABELS',
      help: 'names of the classes, a,b,c or a file with one per line: shows the largest output and its label',
    },
    ...padOptions,
  },
  notes: dataNotes,
  example: 'run model.keras --input data.csv --labels no,yes',
  async run(line, tools) {
    const [path, input] = [line.operand(0), line.text('input') as string];
    checkOneStdin(path, input, 'data');
    const labelText = line.text('labels');
    const output = line.text('output') ?? '-';
    const format = formatOf(output, line.text('format'), labelText !== undefined);
    const batchSize = line.number('batch-size', undefined, { integer: true, least: 0 });
    const padding = paddingOf(line);
    tools.checkOutput(output);
    const labels = labelText === undefined ? null : tools.readLabels(labelText);
    const model = await tools.openModel(path);
    const outputs = tools.predict(model, tools.readInputs(model, input, padding), batchSize);
    tools.writeBytes(
      output,
      labels ? tools.labelOutputs(outputs, labels, format) : tools.writeOutputs(outputs, format),
    );
    return undefined;
  },
};
