// SPDX-License-Identifier: MIT
// The command `maskflow`.
import { pathToFileURL } from 'node:url';
import { ready, runtimeInfo } from '../src/index.js';
import { readArguments } from './arguments.js';
import { info } from './info.js';
import { run } from './run.js';
import { exitCodes, helpFor, UsageError } from './usage.js';
import { verify } from './verify.js';

async function called(args: string[]): Promise<number> {
  const { command, operands, values } = readArguments(args);
  if (values.help) {
    console.log(helpFor(command));
    return exitCodes.fine;
  }
  await ready();
  if (values.version) {
    console.log(runtimeInfo().version);
    return exitCodes.fine;
  }
  for (const file of values.import ?? []) await import(String(pathToFileURL(file)));
  const [first = '', second = ''] = operands;
  if (command === 'verify') return verify(first, second, values);
  if (command === 'run') await run(first, values);
  else await info(first, values);
  return exitCodes.fine;
}

// The reader of a pipe may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.fine);
  throw error;
});

called(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`maskflow: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  },
);
