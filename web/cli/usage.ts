// SPDX-License-Identifier: MIT

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

export const exitCodes = { fine: 0, differs: 1, usage: 2, failed: 3 } as const;

const general = `maskflow: Keras models on the command line

  maskflow info FILE                        layers, shapes, masks, parameters, Keras version; or the weights
  maskflow run MODEL --input DATA           predictions for data
  maskflow verify MODEL RECORDED            compares with what Python recorded

MODEL is a .keras, .h5, or TensorFlow.js model.json file or address; - reads it from standard input.
maskflow COMMAND --help tells the options of a command. Exit codes: 0 all is well, 1 verify found a
difference, 2 the command was called wrongly, 3 something could not be read, run or written.

  --import FILE      runs a JavaScript module first, which may register layers of your own (also several times)
  --help, --version`;

const run = `maskflow run MODEL --input DATA [options]

  -i, --input DATA   .json, .csv, .npy or .npz; - reads standard input (the format is seen from the content).
                     JSON: one nested array, or arrays by name of the input, or { "inputs": [...] }.
                     CSV: a row for each row of the batch; a first line of words is left out.
  -o, --output FILE  .json, .csv, .npy or .npz; without it, or with -, standard output
  --format FORMAT    json, csv, npy or npz, where the name of the output does not say it (default json)
  --batch-size N     rows at a time (default 32; 0: all at once)
  --import FILE      runs a JavaScript module first`;

const verify = `maskflow verify MODEL RECORDED [options]

RECORDED is .json or .npz: inputs, outputs and masks, recorded in Python; - reads standard input.

  --absolute X, --relative X   tolerances (default 1e-5 each): |got - recorded| <= absolute + relative * |recorded|
  --ignore-masked              leaves masked steps of the outputs out
  --import FILE                runs a JavaScript module first`;

const info = `maskflow info FILE [options]

  --json             the same as JSON
  --import FILE      runs a JavaScript module first`;

const helps: { [command: string]: string } = { info, run, verify };

export const helpFor = (command: string | undefined): string => helps[command ?? ''] ?? general;
