// SPDX-License-Identifier: MIT
// The command `maskflow run`: predicts the rows of a file. Its work is in run/run_rows.ts.
import type { CommandLine } from '../command_line.js';
import type { Command } from '../command.js';
import { formatOf } from '../formats.js';
import { chosenEncoding, chosenFormat, onErrorChoices, splitNames } from '../run/options.js';
import type { Padding } from '../pad.js';
import type { Preparation } from '../prepared.js';
import type { InputPlan, RunPlan } from '../run/run_rows.js';
import type * as Tools from '../tools.js';
import { UsageError } from '../usage.js';
import { checkOneStdin, modelOperand, paddingOf, padOptions } from './shared.js';

const notes =
  'DATA is .csv, .jsonl (an array or an object on each line), .npy or Arrow, which are read row by row, whatever their size, or .json or .npz, which are read as a whole. For a model that reads text it is one text per line, or a column of CSV, JSON lines or Arrow. - is standard input. Standard output receives results as they come; a FILE is replaced at the end, and stays as it was after an error.';

export const run: Command = {
  name: 'run',
  summary: 'predicts',
  computes: true,
  countsWork: true,
  operands: [modelOperand],
  options: {
    input: { value: 'DATA', short: 'i', required: true, help: 'the data' },
    'input-format': {
      value: 'FORMAT',
      help: 'json, jsonl, csv, text, npy, npz or arrow, if neither name nor content say it',
    },
    output: {
      value: 'FILE',
      short: 'o',
      help: '.json, .jsonl, .csv, .npy, .npz or .arrow (default and -: standard output)',
    },
    format: {
      value: 'FORMAT',
      help: 'json, jsonl, csv, npy, npz or arrow, if the name of the output does not say it (default json, for JSON lines jsonl, with --labels a table)',
    },
    force: { short: 'f', help: 'replaces an existing FILE' },
    'output-name': {
      value: 'NAME',
      help: 'column or field of the predictions in csv, jsonl, json and arrow (default output)',
    },
    encoding: {
      value: 'NAME',
      help: 'encoding of CSV, JSON lines and text, such as latin1 or utf-16le (default utf-8)',
    },
    columns: {
      value: 'NAMES',
      help: 'a,b,7-9: columns or fields for the model, by name or number (default: all but those of --id)',
    },
    id: {
      value: 'NAMES',
      help: 'a,b: columns or fields that pass through to the output (default for JSON lines: all that the model does not read)',
    },
    header: { help: 'the first line of CSV is a heading (default: if it has no number)' },
    'no-header': { help: 'the first line of CSV is a row' },
    'on-error': {
      value: 'WHAT',
      help: 'stop, skip or null: a bad row ends the run (default), is left out, or has no prediction',
    },
    'batch-size': {
      value: 'N',
      help: 'rows computed at a time (default 32, or the fixed batch size of a stateful model; 0: all at once)',
    },
    batch: { value: 'N', short: 'b', help: 'short for --batch-size' },
    labels: {
      value: 'LABELS',
      help: 'names of the classes, a,b,c, a file with one per line, or a pickled LabelEncoder: shows the largest output and its label',
    },
    tokenizer: {
      value: 'FILE',
      help: "turns texts into padded ids: a pickle of Keras's Tokenizer, its JSON, or a map of words to ids",
    },
    scaler: { value: 'FILE', help: "scales the columns: a pickle of one of sklearn's scalers" },
    quiet: { short: 'q', help: 'shows no progress' },
    ...padOptions,
  },
  notes,
  example: 'run model.keras --input data.csv --labels no,yes',
  async run(line, tools) {
    const path = line.operand(0);
    const input = inputOf(line);
    checkOneStdin(path, input.path, 'data');
    const labelText = line.text('labels');
    const output = line.text('output') ?? '-';
    const format = formatOf(output, line.text('format'), labelText !== undefined);
    if (input.ids && (format === 'npy' || format === 'npz')) {
      throw new UsageError(
        `--id passes columns through, which ${format} cannot contain; use jsonl`,
      );
    }
    const plan: Omit<RunPlan, 'output' | 'threads'> = {
      input,
      batchSize: batchSizeOf(line),
      onError: line.choice('on-error', onErrorChoices, 'stop'),
      isQuiet: line.flag('quiet'),
    };
    tools.checkOutput(output, line.flag('force'), input.path);
    const files = [
      path,
      ...['labels', 'tokenizer', 'scaler'].flatMap((name) => line.text(name) ?? []),
    ];
    const state = line.list('import').length > 0 ? null : tools.stateOfFiles(files);
    const labels = labelText === undefined ? null : await tools.readLabels(labelText);
    input.preparation = await preparationOf(line, tools);
    const model = await tools.openModel(path);
    const name = line.text('output-name') ?? 'output';
    await tools.runRows(model, {
      ...plan,
      output: { path: output, format, labels, name },
      threads: { program: import.meta.url, files, state },
    });
    return undefined;
  },
};

/** Padding of `padSequences`, for texts. */
const usualPadding: Padding = { padding: 'pre', truncating: 'pre', maxlen: null, value: 0 };

async function preparationOf(line: CommandLine, tools: typeof Tools): Promise<Preparation> {
  const [tokenizer, scaler] = [line.text('tokenizer'), line.text('scaler')];
  if (tokenizer !== undefined && scaler !== undefined) {
    throw new UsageError('--tokenizer is for texts and --scaler for numbers; use one of them');
  }
  if (tokenizer !== undefined) return { tokenizer: await tools.readTokenizer(tokenizer) };
  return scaler === undefined ? {} : { scaler: await tools.readScaler(scaler) };
}

function batchSizeOf(line: CommandLine): number | undefined {
  const preset = line.number('batch', undefined, { integer: true, least: 0 });
  return line.number('batch-size', preset, { integer: true, least: 0 });
}

function inputOf(line: CommandLine): InputPlan {
  if (line.flag('header') && line.flag('no-header')) {
    throw new UsageError('--header and --no-header cannot both be true; use one of them');
  }
  const names = (option: string): string[] | null => {
    const text = line.text(option);
    if (text === undefined) return null;
    const list = splitNames(text);
    if (list.length > 0) return list;
    throw new UsageError(`--${option} is '${text}' but must be a list of names, such as a,b`);
  };
  return {
    path: line.text('input') as string,
    format: chosenFormat(line.text('input-format')),
    isStrict: line.choice('on-error', onErrorChoices, 'stop') !== 'stop',
    encoding: chosenEncoding(line.text('encoding')),
    padding: paddingOf(line) ?? (line.text('tokenizer') === undefined ? null : usualPadding),
    preparation: {},
    columns: names('columns'),
    ids: names('id'),
    header: line.flag('header') ? true : line.flag('no-header') ? false : null,
  };
}
