// SPDX-License-Identifier: MIT
// The command `maskflow quantize`: rounds the weights of a model to 8 bits.
import type { Command } from '../command.js';
import { jsonText, print, printError } from '../print.js';
import { UsageError } from '../usage.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

export const quantize: Command = {
  name: 'quantize',
  summary: 'rounds weights to 8 bits, and reports the errors',
  operands: [
    { ...modelOperand, name: 'IN' },
    { name: 'OUT', optional: true, help: 'a .keras file; without it nothing is written' },
  ],
  options: {
    input: { value: 'DATA', short: 'i', help: 'data to run the model on before and after' },
    activations: {
      value: 'DTYPE',
      help: 'float32 (default), or int8: also rounds inputs of products, for the outputs of --input',
    },
    json: { help: 'prints the report as JSON' },
    force: { short: 'f', help: 'replaces an existing file' },
    ...padOptions,
  },
  notes: `OUT has the rounded weights as float32, so it is as large as IN: the package cannot write Keras's format of 8-bit weights. loadModel(file, { quantize: 'int8' }) keeps them as 8 bits in memory without rounding again.\n${dataNotes}`,
  example: 'quantize model.keras small.keras --input data.csv',
  async run(line, tools) {
    const [from, to, input] = [line.operand(0), line.operand(1), line.text('input')];
    checkOneStdin(from, input, 'data');
    const activations = line.choice('activations', ['float32', 'int8'], 'float32');
    const padding = paddingOf(line);
    const target = to === '' ? null : tools.checkTarget(to, line.flag('force'));
    if (target && target.kind !== 'keras') {
      throw new UsageError(`quantize writes .keras files, not '${to}'`);
    }
    const model = await tools.openModel(from);
    const samples =
      input === undefined ? {} : { samples: tools.whole(tools.readInputs(model, input, padding)) };
    const report = await model.quantize('int8', { activations, ...samples });
    const json = line.flag('json');
    print(json ? jsonText(report, 2) : tools.quantizationText(report));
    if (!target) return undefined;
    const texts = await tools.writeModel(model, target);
    // Other text goes to standard error with --json, because standard output then contains only
    // JSON.
    const printLine = json ? printError : print;
    for (const text of texts) printLine(text);
    printLine('Its weights are float32 numbers that fit 8 bits: see maskflow help quantize.');
    return undefined;
  },
};
