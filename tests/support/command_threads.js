// SPDX-License-Identifier: MIT
// Runs the command in a process that counts its threads.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { program, scratch } from './command.js';
import { settings } from './programs.js';

// A machine of three cores, which says at the end how many threads were started, and how many
// messages they sent. The main thread waits for each thread, so that they share the work.
const text = `
const threads = process.getBuiltinModule('node:worker_threads');
process.getBuiltinModule('node:os').availableParallelism = () => 3;
const { WAIT, END_AT, FAIL_AT, HEAP } = process.env;
let [count, messages] = [0, 0];
const signal = new Int32Array(new SharedArrayBuffer(4));
threads.Worker = class extends threads.Worker {
  constructor(script, options) {
    if (count === Number(FAIL_AT)) throw new Error('no further thread');
    super(script, HEAP ? { ...options, resourceLimits: { maxOldGenerationSizeMb: Number(HEAP) } } : options);
    count++;
    this.on('message', () => {
      if (++messages === Number(END_AT)) this.terminate();
    });
    if (WAIT) Atomics.wait(signal, 0, 0, Number(WAIT));
  }
};
process.on('exit', () => process._rawDebug('threads: ' + count + ' ' + messages));`;

/** Collects the text of a stream. */
async function textOf(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return String(Buffer.concat(pieces));
}

/** Returns a function that runs `maskflow run`, and the folder of its files. */
export function countedThreads() {
  const files = scratch();
  const watch = String(pathToFileURL(files.write('watch.mjs', text)));
  const run = async (args, variables = {}, input = '') => {
    const all = ['--import', watch, program, 'run', ...args];
    const env = { ...settings.env, ...variables };
    const child = spawn(process.execPath, all, { ...settings, env });
    child.stdin.end(input);
    const end = new Promise((resolve) => child.on('close', resolve));
    const [out, messages] = await Promise.all([child.stdout, child.stderr].map(textOf));
    const [, err, threads, count] = /^([\s\S]*)threads: (\d+) (\d+)\n$/.exec(messages);
    return { code: await end, out, err, threads: +threads, messages: +count };
  };
  return { ...files, run };
}
