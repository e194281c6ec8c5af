// SPDX-License-Identifier: MIT
// The parser of the command line, which main.ts calls once it knows the command.
import { type ParseArgsConfig, parseArgs } from 'node:util';
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
  let parsed: ReturnType<typeof parseTokens>;
  try {
    parsed = parseTokens(args, Object.fromEntries(specs));
  } catch (error) {
    throw new UsageError(messageOf(command, error as NodeJS.ErrnoException));
  }
  checkNotRepeated(command, parsed.tokens);
  return { values: parsed.values as Values, positionals: parsed.positionals };
}

const parseTokens = (args: string[], options: ParseArgsConfig['options'] & object) =>
  parseArgs({ args, options, allowPositionals: true, tokens: true });

/** Throws UsageError for an option with two values, of which only one would count. */
function checkNotRepeated(
  command: Command,
  tokens: readonly { kind: string; name?: string; value?: string | undefined }[],
): void {
  for (const [name, { value, multiple }] of Object.entries(optionsOf(command))) {
    if (!value || multiple) continue;
    const values = tokens.flatMap((token) =>
      token.kind === 'option' && token.name === name ? [token.value ?? ''] : [],
    );
    if (values.length < 2) continue;
    const isList = value === 'NAMES' || value === 'PATHS';
    const remedy = isList ? `write --${name} ${values.join(',')}` : 'write it once';
    throw new UsageError(`--${name} has ${values.length} values; ${remedy}`);
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
