// SPDX-License-Identifier: MIT
// Operands, options and checks that several commands share.
import type { CommandLine } from '../command_line.js';
import type { Command, Operand } from '../command.js';
import type { Padding } from '../pad.js';
import { UsageError } from '../usage.js';

export const modelOperand: Operand = {
  name: 'MODEL',
  help: 'a .keras, .h5 or TensorFlow.js model.json file, a folder with one, or an address; - is standard input',
};

/** The formats of data, for the notes of commands that read data. */
export const dataNotes =
  'DATA is .json (a nested array, arrays by name of the input, or a recording), .csv (one line per row; a first line without numbers is a heading), .npy or .npz. For a model that reads text it is one text per line, or JSON. - is standard input.';

export const insideOption: Command['options'][string] = {
  value: 'PATH',
  help: 'for a file of PyTorch with several state dicts: which one, as in ema_state_dict',
};

/** Options for ragged rows of CSV and JSON, like those of the function padSequences. */
export const padOptions: Command['options'] = {
  pad: { help: 'pads and cuts the rows of CSV or JSON to one length, as padSequences does' },
  padding: { value: 'SIDE', help: 'pre or post: the side on which rows are padded (default pre)' },
  truncating: { value: 'SIDE', help: 'pre or post: the side on which rows are cut (default pre)' },
  maxlen: {
    value: 'N',
    help: 'length of the rows (default: that of the model, or of the longest row)',
  },
  'pad-value': { value: 'NUMBER', help: 'value to pad with (default 0)' },
};

/** Options of padding; null if none is set. Each of them turns padding on, even without --pad. */
export function paddingOf(line: CommandLine): Padding | null {
  if (!Object.keys(padOptions).some((name) => line.has(name))) return null;
  return {
    padding: line.choice('padding', ['pre', 'post'], 'pre'),
    truncating: line.choice('truncating', ['pre', 'post'], 'pre'),
    maxlen: line.number('maxlen', null, { integer: true, least: 1 }),
    value: line.number('pad-value', 0),
  };
}

/** Throws UsageError if both files are standard input. */
export function checkOneStdin(first: string, second: string | undefined, what: string): void {
  if (first !== '-' || second !== '-') return;
  throw new UsageError(`model and ${what} cannot both come from standard input`);
}
