// SPDX-License-Identifier: MIT
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
  operands: [modelOperand],
  options: {
    x: { value: 'DATA', required: true, help: 'the inputs' },
    y: { value: 'DATA', required: true, help: 'what the outputs are to be' },
    loss: {
      value: 'NAME',
      help: 'of the losses of Keras (mse, binary_crossentropy …); by default what the file was compiled with',
    },
    optimizer: {
      value: 'NAME',
      help: 'of the optimizers of Keras; by default that of the file, which goes on where it was, or rmsprop',
    },
    'learning-rate': { value: 'NUMBER', help: 'of the optimizer' },
    metrics: { value: 'NAMES', help: 'a,b: told for each epoch, beside the loss' },
    epochs: { value: 'N', help: 'how often all rows are gone through (default 1)' },
    'batch-size': {
      value: 'N',
      help: 'rows at a time (default 32, or the fixed batch size of a stateful model)',
    },
    'validation-split': {
      value: 'SHARE',
      help: 'of the rows, the last ones, that are measured with after each epoch and not trained on (default 0)',
    },
    seed: { value: 'N', help: 'of the order of rows and all that is random: the same again' },
    out: {
      value: 'OUT',
      short: 'o',
      help: 'where the trained model is written, as convert does; without it nothing is written',
    },
    json: { help: 'the history as JSON' },
    force: { short: 'f', help: 'replaces files that are there already' },
    ...padOptions,
  },
  notes: `${dataNotes}\nWhat is padded is x. --loss, --optimizer, --learning-rate and --metrics compile the model anew: its optimizer then begins anew. A loss that is NaN ends the training, and nothing is written.`,
  example: 'train model.keras --x x.npy --y y.npy --epochs 5 --out trained.keras',
  async run(called, tools) {
    const [path, x, y] = [
      called.operand(0),
      called.text('x') as string,
      called.text('y') as string,
    ];
    checkOneStdin(path, x, 'x');
    checkOneStdin(path, y, 'y');
    if (x === '-' && y === '-')
      throw new UsageError('x and y cannot both come from standard input');
    const count = { whole: true, least: 1 };
    const split = called.number('validation-split', 0, { least: 0 });
    if (split >= 1) {
      throw new UsageError(`--validation-split is ${split} but must be a share, less than 1`);
    }
    const asked = {
      loss: called.text('loss'),
      optimizer: called.text('optimizer'),
      learningRate: called.number('learning-rate', undefined, { least: 0 }),
      metrics: names(called.text('metrics')),
    };
    const batchSize = called.number('batch-size', undefined, count);
    const options = {
      epochs: called.number('epochs', 1, count),
      ...(batchSize && { batchSize }),
      validationSplit: split,
      seed: called.number('seed', undefined, { whole: true }),
    };
    const [padding, out] = [paddingOf(called), called.text('out')];
    const target = out === undefined ? null : tools.checkTarget(out, called.flag('force'));
    const model = await tools.openModel(path);
    const data = { x: tools.readInputs(model, x, padding), y: tools.readTargets(y) };
    const history = await tools.train(model, data, asked, options);
    const json = called.flag('json');
    print(json ? jsonText(history, 2) : tools.historyText(history));
    if (!target) return undefined;
    // What is on standard output then is JSON and nothing else.
    const say = json ? printError : print;
    for (const line of await tools.writeModel(model, target)) say(line);
    return undefined;
  },
};
