// SPDX-License-Identifier: MIT
import { parseArgs } from 'node:util';
import { Called, type Values } from './called.js';
import { type Command, optionsOf, usageOf } from './command.js';
import { UsageError } from './usage.js';

/** The arguments behind a command's name. UsageError for what it does not take. */
export function readArguments(command: Command, args: string[]): Called {
  const { values, positionals } = parsed(command, args);
  const called = new Called(positionals, values);
  if (!called.flag('help') && !called.flag('version')) checkComplete(command, called);
  return called;
}

function parsed(command: Command, args: string[]): { values: Values; positionals: string[] } {
  const specs = Object.entries(optionsOf(command)).map(([name, { value, short, multiple }]) => [
    name,
    { type: value ? 'string' : 'boolean', multiple: multiple ?? false, ...(short && { short }) },
  ]);
  try {
    const options = Object.fromEntries(specs);
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    throw new UsageError(explained(command, error as NodeJS.ErrnoException));
  }
}

/** Node's own messages go on about the ways to write arguments. */
function explained(command: Command, { code, message }: NodeJS.ErrnoException): string {
  const [, option = ''] = /'(?:-\w, )?(--?[^' ]*)/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const names = Object.keys(optionsOf(command)).map((name) => `--${name}`);
    return `${command.name} has no option ${option}; there are ${names.join(', ')}`;
  }
  if (message.includes('does not take an argument')) return `${option} takes no value`;
  return `${option} needs a value; one that begins with '-' is written ${option}=VALUE`;
}

function checkComplete(command: Command, { operands, values }: Called): void {
  const needed = command.operands.filter(({ optional }) => !optional).length;
  const usage = `maskflow ${usageOf(command)}`;
  if (operands.length < needed) {
    const missing = command.operands[operands.length]?.name;
    throw new UsageError(`${missing} is missing; it is called as ${usage}`);
  }
  const extra = operands[command.operands.length];
  if (extra !== undefined) {
    throw new UsageError(`'${extra}' is one argument too many; it is called as ${usage}`);
  }
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && values[name] === undefined) {
      throw new UsageError(`--${name} is missing; it is called as ${usage}`);
    }
  }
}
