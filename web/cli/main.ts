// SPDX-License-Identifier: MIT
// The command `maskflow`. What it imports here is what `help` and `--version` wait for: nothing of the engine.
import { readFileSync } from 'node:fs';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';
import { commands } from './commands/index.js';
import { commandHelp, generalHelp } from './help.js';
import { print, printError } from './print.js';
import { exitCodes, UsageError } from './usage.js';

const names = commands.map(({ name }) => name);
const list = `${names.join(', ')} and help`;

function commandOf(name: string): Command {
  const found = commands.find((command) => command.name === name);
  if (found) return found;
  throw new UsageError(`there is no command '${name}'; there are ${list}`);
}

function versionText(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function help([name, ...others]: string[]): string {
  if (others.length > 0) throw new UsageError('maskflow help takes one command');
  const general = name === undefined || name === 'help';
  return general ? generalHelp(commands) : commandHelp(commandOf(name));
}

/** What is printed without a command that runs; undefined where one is to run. */
function answer([first, ...rest]: string[]): string | undefined {
  if (first === undefined) throw new UsageError(`which command? there are ${list}`);
  if (first === '--version' || first === '-v') return versionText();
  if (first === '--help' || first === '-h') return help([]);
  if (first === 'help') return help(rest.filter((arg) => arg !== '--help' && arg !== '-h'));
  if (!first.startsWith('-')) return undefined;
  throw new UsageError(`the command comes first, and '${first}' is none; there are ${list}`);
}

async function start(args: string[]): Promise<number> {
  const said = answer(args);
  if (said !== undefined) return answered(said);
  const [name = '', ...rest] = args;
  const command = commandOf(name);
  const called = readArguments(command, rest);
  if (called.flag('help')) return answered(commandHelp(command));
  if (called.flag('version')) return answered(versionText());
  const tools = await import('./tools.js');
  await tools.prepare(called.list('import'), command.trains);
  return (await command.run(called, tools)) ?? exitCodes.fine;
}

function answered(text: string): number {
  print(text);
  return exitCodes.fine;
}

// The reader of a pipe may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.fine);
  throw error;
});

start(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    printError(`maskflow: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  },
);
