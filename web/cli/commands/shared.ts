// SPDX-License-Identifier: MIT
import type { Called } from '../called.js';
import type { Command, Operand } from '../command.js';
import type { Padding } from '../pad.js';
import { UsageError } from '../usage.js';

export const modelOperand: Operand = {
  name: 'MODEL',
  help: 'a .keras, .h5 or TensorFlow.js model.json file, a folder that has one, or an address; - is standard input',
};

/** How the data for a model looks; for the notes of the commands that read some. */
export const dataNotes =
  'DATA is .json (a nested array, arrays by name of the input, or a recording), .csv (a row for each row of the batch; a first line without numbers is a heading), .npy or .npz. For a model that reads text it is a text on each line, or JSON. - is standard input.';

/** For ragged rows of CSV and JSON, as the function padSequences has them. */
export const padOptions: Command['options'] = {
  pad: { help: 'makes the rows of CSV or JSON equally long, as padSequences does' },
  padding: { value: 'SIDE', help: 'pre or post: where rows are filled up (default pre)' },
  truncating: { value: 'SIDE', help: 'pre or post: where rows are cut (default pre)' },
  maxlen: {
    value: 'N',
    help: "length of the rows; by default what the model takes, or the longest row's",
  },
  'pad-value': { value: 'NUMBER', help: 'what rows are filled up with (default 0)' },
};

/** Null where no option asks for padding; one that says how asks for it, too. */
export function paddingOf(called: Called): Padding | null {
  if (!Object.keys(padOptions).some((name) => called.has(name))) return null;
  return {
    padding: called.choice('padding', ['pre', 'post'], 'pre'),
    truncating: called.choice('truncating', ['pre', 'post'], 'pre'),
    maxlen: called.number('maxlen', null, { whole: true, least: 1 }),
    value: called.number('pad-value', 0),
  };
}

/** UsageError where both would be read from standard input. */
export function checkOneStdin(first: string, second: string | undefined, what: string): void {
  if (first !== '-' || second !== '-') return;
  throw new UsageError(`model and ${what} cannot both come from standard input`);
}
