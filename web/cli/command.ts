// SPDX-License-Identifier: MIT
// The description of a command, from which its arguments are parsed and its help is written.
import type { CommandLine } from './command_line.js';
import type * as Tools from './tools.js';

export interface OptionSpec {
  /** Name of the option's value in the help. An option without this name is a switch. */
  value?: string;
  short?: string;
  /** Whether the option may be repeated. */
  multiple?: boolean;
  /** Whether the command needs the option. */
  required?: boolean;
  help: string;
}

export interface Operand {
  name: string;
  help: string;
  optional?: boolean;
}

/**
 * Describes a command: its arguments are parsed, and its help is written, from this description.
 */
export interface Command {
  name: string;
  /** Description of the command, one line in the list of commands. */
  summary: string;
  operands: readonly Operand[];
  options: { readonly [name: string]: OptionSpec };
  /** Whether the command needs the module that trains. */
  trains?: boolean;
  /** True: the command starts no engine. */
  isAlone?: boolean;
  /** True: the command computes, with the threads that `--threads` says. */
  computes?: boolean;
  /** True: the work of the first batch decides whether `--threads auto` uses several threads. */
  countsWork?: boolean;
  /** Paragraphs of the help between operands and options. */
  notes?: string;
  /** Arguments of an example, without the name of the program. */
  example: string;
  /** Returns the text that the command prints, without the engine; `run` is not called. */
  text?(line: CommandLine): string;
  /**
   * Runs the command. Returns an exit code other than 0, or undefined. Functions that need the
   * engine are in `tools`: if commands imported them, `help` and `--version` would wait for the
   * engine.
   */
  run(line: CommandLine, tools: typeof Tools): Promise<number | undefined>;
}

/** Options of every command. */
export const commonOptions: Command['options'] = {
  import: {
    value: 'FILE',
    multiple: true,
    help: 'runs a JavaScript module first, which may register your own layers; may be repeated',
  },
  help: { short: 'h', help: 'shows this help' },
  version: { short: 'v', help: 'shows the version of maskflow' },
};

const threadOptions: Command['options'] = {
  threads: {
    value: 'N',
    help: 'number of threads, or auto for one for each core, at most 8; with small batches, run divides large files among them (default MASKFLOW_THREADS, or auto)',
  },
};

export const optionsOf = (command: Command): Command['options'] => ({
  ...command.options,
  ...(command.computes && threadOptions),
  ...commonOptions,
});

/** Operands and required options of a command: `run MODEL --input DATA`, `quantize IN [OUT]`. */
export const usageOf = ({ name, operands, options }: Command): string =>
  [
    name,
    ...operands.map((operand) => (operand.optional ? `[${operand.name}]` : operand.name)),
    ...Object.entries(options).flatMap(([option, { value, required }]) =>
      required ? [`--${option} ${value}`] : [],
    ),
  ].join(' ');
