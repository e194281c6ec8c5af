// SPDX-License-Identifier: MIT
import { parseArgs } from 'node:util';
import { UsageError } from './usage.js';

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  import: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  input: { type: 'string', short: 'i' },
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  'batch-size': { type: 'string' },
  absolute: { type: 'string' },
  relative: { type: 'string' },
  'ignore-masked': { type: 'boolean' },
} as const;

/** Which options each command takes, and what it is called with. */
const commands = {
  info: { takes: ['json'], operands: ['MODEL'] },
  run: { takes: ['input', 'output', 'format', 'batch-size'], operands: ['MODEL'] },
  verify: { takes: ['absolute', 'relative', 'ignore-masked'], operands: ['MODEL', 'RECORDED'] },
} as const;

export type Command = keyof typeof commands;
export type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

export interface Called {
  command: Command | undefined;
  operands: string[];
  values: Values;
}

const isCommand = (name: string): name is Command => Object.hasOwn(commands, name);

/** The command line, checked. UsageError when it is none of the commands, or has what its command does not take. */
export function readArguments(args: string[]): Called {
  const { values, positionals } = parsed(args);
  const [name, ...operands] = positionals;
  if (name === undefined) {
    if (values.help || values.version) return { command: undefined, operands, values };
    throw new UsageError('which command? there are info, run and verify; see maskflow --help');
  }
  if (!isCommand(name)) {
    throw new UsageError(`there is no command '${name}'; there are info, run and verify`);
  }
  if (!values.help) check(name, operands, values);
  return { command: name, operands, values };
}

function parsed(args: string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function check(name: Command, operands: string[], values: Values): void {
  const { takes, operands: needed } = commands[name];
  const common = ['help', 'version', 'import'];
  const strange = Object.keys(values).find(
    (key) => !common.includes(key) && !(takes as readonly string[]).includes(key),
  );
  if (strange) throw new UsageError(`maskflow ${name} has no option --${strange}`);
  if (operands.length !== needed.length) {
    throw new UsageError(
      `maskflow ${name} takes ${needed.join(' and ')}, but ${operands.length} were given; see maskflow ${name} --help`,
    );
  }
}

/** A number of an option; the default without it. */
export function numberOf(
  values: Values,
  key: 'batch-size' | 'absolute' | 'relative',
  otherwise: number,
): number {
  const text = values[key];
  if (text === undefined) return otherwise;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (number >= 0 && (key !== 'batch-size' || Number.isInteger(number))) return number;
  const what = key === 'batch-size' ? 'a whole number, 0 or more' : 'a number, 0 or more';
  throw new UsageError(`--${key} is '${text}' but must be ${what}`);
}
