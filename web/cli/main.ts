// SPDX-License-Identifier: MIT
// The command `maskflow`. This file imports nothing of the engine, so that `help` and `--version`
// need not wait for it.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { readArguments } from './arguments.js';
import type { Command } from './command.js';
import { commands } from './commands/index.js';
import { commandHelp, generalHelp } from './help.js';
import { print, printError } from './print.js';
import { nearestOf } from '../src/base/nearest.js';
import { systemText } from './system_text.js';
import { exitCodes, UsageError } from './usage.js';

const names = commands.map(({ name }) => name);
const list = `${names.join(', ')} and help`;

function commandOf(name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (command) return command;
  const hint = nearestOf(name, [...names, 'help']);
  throw new UsageError(`unknown command '${name}'${hint}; the commands are ${list}`);
}

function versionText(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function help([name, ...others]: string[]): string {
  if (others.length > 0) throw new UsageError('maskflow help has more than one command; give one');
  const general = name === undefined || name === 'help';
  return general ? generalHelp(commands) : commandHelp(commandOf(name));
}

/** Returns text that is printed without running a command; undefined if a command runs. */
function textFor([first, ...rest]: string[]): string | undefined {
  if (first === undefined) throw new UsageError(`the command is missing; the commands are ${list}`);
  if (first === '--version' || first === '-v') return versionText();
  if (first === '--help' || first === '-h') return help([]);
  if (first === 'help') return help(rest.filter((arg) => arg !== '--help' && arg !== '-h'));
  if (!first.startsWith('-')) return undefined;
  const hint = nearestOf(first, ['--help', '--version']);
  throw new UsageError(
    `unknown option '${first}'${hint}; the first argument must be a command: ${list}`,
  );
}

async function start(args: string[]): Promise<number> {
  const text = textFor(args);
  if (text !== undefined) return printed(text);
  const [name = '', ...rest] = args;
  const command = commandOf(name);
  const line = readArguments(command, rest);
  if (line.flag('help')) return printed(commandHelp(command));
  if (line.flag('version')) return printed(versionText());
  if (command.text) return printed(command.text(line));
  const tools = await import('./tools.js');
  // Threads of a run compute in one thread each.
  const threads = !command.computes ? undefined : isMainThread ? line.threads() : 1;
  if (!command.isAlone) await tools.prepare(line.list('import'), command, threads);
  return (await command.run(line, tools)) ?? exitCodes.fine;
}

function printed(text: string): number {
  print(text);
  return exitCodes.fine;
}

// Ends quietly if the reader of a pipe stops early, as `head` does, because that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.fine);
  printError(`maskflow: ${systemText('standard output', error)}`);
  process.exit(exitCodes.failed);
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
