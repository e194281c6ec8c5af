// SPDX-License-Identifier: MIT
// The parser of the command line, which main.ts calls once it knows the command.
import { parseArgs } from 'node:util';
import { CommandLine, type Values } from './command_line.js';
import { type Command, optionsOf, usageOf } from './command.js';
import { nearestOf } from '../src/base/nearest.js';
import { UsageError } from './usage.js';

/** Parses the arguments of a command. UsageError for unknown, missing and superfluous ones. */
export function readArguments(command: Command, args: string[]): CommandLine {
  const { values, positionals } = parse(command, args);
  const line = new CommandLine(positionals, values);
  if (!line.flag('help') && !line.flag('version')) checkComplete(command, line);
  return line;
}

function parse(command: Command, args: string[]): { values: Values; positionals: string[] } {
  const specs = Object.entries(optionsOf(command)).map(([name, { value, short, multiple }]) => [
    name,
    { type: value ? 'string' : 'boolean', multiple: multiple ?? false, ...(short && { short }) },
  ]);
  try {
    const options = Object.fromEntries(specs);
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    throw new UsageError(messageOf(command, error as NodeJS.ErrnoException));
  }
}

/** Returns a short message in place of Node's, which explains how to write arguments. */
function messageOf(command: Command, { code, message }: NodeJS.ErrnoException): string {
  const [, option = ''] = /'(?:-\w, )?(--?[^' ]*)/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const names = Object.keys(optionsOf(command)).map((name) => `--${name}`);
    const hint = nearestOf(option, names);
    return `${command.name} has no option ${option}${hint}; its options are ${names.join(', ')}`;
  }
  if (message.includes('does not take an argument'))
    return `${option} has no value; leave out the value`;
  return `${option} needs a value; write one that begins with '-' as ${option}=VALUE`;
}

function checkComplete(command: Command, { operands, values }: CommandLine): void {
  const needed = command.operands.filter(({ optional }) => !optional).length;
  const usage = `maskflow ${usageOf(command)}`;
  if (operands.length < needed) {
    const missing = command.operands[operands.length]?.name;
    throw new UsageError(`${missing} is missing; the usage is ${usage}`);
  }
  const extra = operands[command.operands.length];
  if (extra !== undefined) {
    throw new UsageError(`'${extra}' is one argument too many; the usage is ${usage}`);
  }
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && values[name] === undefined) {
      throw new UsageError(`--${name} is missing; the usage is ${usage}`);
    }
  }
}
