// SPDX-License-Identifier: MIT
import type { Called } from './called.js';
import type * as Tools from './tools.js';

export interface OptionSpec {
  /** What stands for its value in the help; an option without one is a switch. */
  value?: string;
  short?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** Must it be given? */
  required?: boolean;
  help: string;
}

export interface Operand {
  name: string;
  help: string;
  optional?: boolean;
}

/** One command: from this its arguments are read and its help is written. */
export interface Command {
  name: string;
  /** One line in the list of commands. */
  summary: string;
  operands: readonly Operand[];
  options: { readonly [name: string]: OptionSpec };
  /** Does it need what trains? */
  trains?: boolean;
  /** What is to be known beside the options. */
  notes?: string;
  /** Without the program's name. */
  example: string;
  /**
   * Runs it; gives an exit code where it is not 0. The engine and all that uses it come as `tools`: a command that
   * imported them itself would make `help` and `--version` wait for them.
   */
  run(called: Called, tools: typeof Tools): Promise<number | undefined>;
}

/** What every command takes. */
export const commonOptions: Command['options'] = {
  import: {
    value: 'FILE',
    multiple: true,
    help: 'runs a JavaScript module first, which may register layers of your own; may be given several times',
  },
  help: { short: 'h', help: 'shows this help' },
  version: { short: 'v', help: 'shows the version of maskflow' },
};

export const optionsOf = (command: Command): Command['options'] => ({
  ...command.options,
  ...commonOptions,
});

/** `MODEL [OUT]`, and options that must be given: `MODEL --input DATA` */
export const usageOf = ({ name, operands, options }: Command): string =>
  [
    name,
    ...operands.map((operand) => (operand.optional ? `[${operand.name}]` : operand.name)),
    ...Object.entries(options).flatMap(([option, { value, required }]) =>
      required ? [`--${option} ${value}`] : [],
    ),
  ].join(' ');
