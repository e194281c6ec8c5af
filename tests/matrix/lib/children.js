// SPDX-License-Identifier: MIT
// The programs that one cell starts. Each leads a process group, so that its own children end with
// it.
import { spawn } from 'node:child_process';
import { Failure } from '../../../scripts/lib/process.mjs';

const tail = (text, lines = 30) => text.trimEnd().split('\n').slice(-lines).join('\n');

export class Children {
  #running = new Set();

  #start(command, args, options) {
    const child = spawn(command, args, {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const program = { child, output: '' };
    const receive = (data) => {
      program.output += data;
      program.onOutput?.();
    };
    child.stdout.on('data', receive);
    child.stderr.on('data', receive);
    this.#running.add(program);
    // Waits for 'exit', not 'close': children of an ended program keep its pipes open.
    program.end = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => setTimeout(resolve, 50, code ?? signal));
    });
    program.end.catch(() => {});
    return program;
  }

  /** Runs a program that must succeed; returns its output. */
  async run(command, args, options) {
    const program = this.#start(command, args, options);
    const code = await program.end;
    if (code === 0) return program.output;
    throw new Failure(`${[command, ...args].join(' ')} failed (${code})\n${tail(program.output)}`);
  }

  /** Starts a server and waits until its output matches `pattern`; returns the match. */
  async listen(command, args, options, pattern) {
    const program = this.#start(command, args, options);
    const match = new Promise((resolve) => {
      program.onOutput = () => {
        const result = program.output.match(pattern);
        if (result) resolve(result);
      };
    });
    const failure = program.end.then((code) => {
      throw new Failure(`${[command, ...args].join(' ')} ended (${code})\n${tail(program.output)}`);
    });
    failure.catch(() => {});
    return Promise.race([match, failure]);
  }

  /** Returns the last output of the programs, for a cell that timed out. */
  lastOutput = () => [...this.#running].map((program) => tail(program.output, 5)).join('\n');

  /** Ends all programs and their children. */
  stop() {
    for (const { child } of this.#running) {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {}
    }
    this.#running.clear();
  }
}
