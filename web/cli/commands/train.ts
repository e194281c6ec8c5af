// SPDX-License-Identifier: MIT
// The command `maskflow train`, whose work is in train.ts one folder up.
import type { Command } from '../command.js';
import { jsonText, print, printError } from '../print.js';
import { UsageError } from '../usage.js';
import { checkOneStdin, dataNotes, modelOperand, paddingOf, padOptions } from './shared.js';

const names = (text: string | undefined): string[] | undefined =>
  text?.split(',').map((name) => name.trim());

export const train: Command = {
  name: 'train',
  summary: 'trains a model, and shows the losses and metrics of each epoch',
  trains: true,
  computes: true,
  operands: [modelOperand],
  options: {
    x: { value: 'DATA', required: true, help: 'the inputs' },
    y: { value: 'DATA', required: true, help: 'the targets' },
    loss: {
      value: 'NAME',
      help: 'a loss of Keras (mse, binary_crossentropy …); by default the one that the file was compiled with',
    },
    optimizer: {
      value: 'NAME',
      help: 'an optimizer of Keras; by default the one in the file, which continues where it was, or rmsprop',
    },
    'learning-rate': { value: 'NUMBER', help: 'learning rate of the optimizer' },
    metrics: { value: 'NAMES', help: 'a,b: metrics to show for each epoch, beside the loss' },
    epochs: { value: 'N', help: 'number of passes through all rows (default 1)' },
    'batch-size': {
      value: 'N',
      help: 'rows at a time (default 32, or the fixed batch size of a stateful model)',
    },
    'validation-split': {
      value: 'SHARE',
      help: 'share of the rows, taken from the end, to validate with and not to train on (default 0)',
    },
    seed: { value: 'N', help: 'seed of the order of rows and of everything else that is random' },
    out: {
      value: 'OUT',
      short: 'o',
      help: 'where to write the trained model, in the formats of convert; without it nothing is written',
    },
    json: { help: 'prints the history as JSON' },
    force: { short: 'f', help: 'replaces existing files' },
    ...padOptions,
  },
  notes: `${dataNotes}\n--pad pads x. --loss, --optimizer, --learning-rate and --metrics compile the model again, with a new optimizer. A loss that is NaN ends the training, and nothing is written.`,
  example: 'train model.keras --x x.npy --y y.npy --epochs 5 --out trained.keras',
  async run(line, tools) {
    const [path, x, y] = [line.operand(0), line.text('x') as string, line.text('y') as string];
    checkOneStdin(path, x, 'x');
    checkOneStdin(path, y, 'y');
    if (x === '-' && y === '-')
      throw new UsageError('x and y cannot both come from standard input');
    const count = { integer: true, least: 1 };
    const split = line.number('validation-split', 0, { least: 0 });
    if (split >= 1) {
      throw new UsageError(`--validation-split is ${split} but must be less than 1`);
    }
    const compileOptions = {
      loss: line.text('loss'),
      optimizer: line.text('optimizer'),
      learningRate: line.number('learning-rate', undefined, { least: 0 }),
      metrics: names(line.text('metrics')),
    };
    const batchSize = line.number('batch-size', undefined, count);
    const options = {
      epochs: line.number('epochs', 1, count),
      ...(batchSize && { batchSize }),
      validationSplit: split,
      seed: line.number('seed', undefined, { integer: true }),
    };
    const [padding, out] = [paddingOf(line), line.text('out')];
    const target = out === undefined ? null : tools.checkTarget(out, line.flag('force'));
    const model = await tools.openModel(path);
    const data = { x: tools.readInputs(model, x, padding), y: tools.readTargets(y) };
    const history = await tools.train(model, data, compileOptions, options);
    const json = line.flag('json');
    print(json ? jsonText(history, 2) : tools.historyText(history));
    if (!target) return undefined;
    // Other text goes to standard error with --json, because standard output then contains only
    // JSON.
    const printLine = json ? printError : print;
    for (const report of await tools.writeModel(model, target)) printLine(report);
    return undefined;
  },
};
