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
    const one = { child, said: '' };
    const hear = (data) => {
      one.said += data;
      one.heard?.();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    this.#running.add(one);
    // Waits for 'exit', not 'close': children of an ended program keep its pipes open.
    one.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => setTimeout(resolve, 50, code ?? signal));
    });
    one.ended.catch(() => {});
    return one;
  }

  /** Runs a program that must succeed; returns its output. */
  async run(command, args, options) {
    const one = this.#start(command, args, options);
    const code = await one.ended;
    if (code === 0) return one.said;
    throw new Failure(`${[command, ...args].join(' ')} failed (${code})\n${tail(one.said)}`);
  }

  /** Starts a server; returns the match of `pattern` in its output. */
  async listen(command, args, options, pattern) {
    const one = this.#start(command, args, options);
    const found = new Promise((resolve) => {
      one.heard = () => {
        const match = one.said.match(pattern);
        if (match) resolve(match);
      };
    });
    const gone = one.ended.then((code) => {
      throw new Failure(`${[command, ...args].join(' ')} ended (${code})\n${tail(one.said)}`);
    });
    gone.catch(() => {});
    return Promise.race([found, gone]);
  }

  /** The last output of the programs, for a cell that timed out. */
  said = () => [...this.#running].map((one) => tail(one.said, 5)).join('\n');

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
