// SPDX-License-Identifier: MIT
// The script of a helper: a thread that runs parts of large loops. docs/internals/threads.md
// describes what it calls.
import { nodeThreads } from './engine/node_threads.js';
import type { Assignment } from './engine/team.js';

type Exports = { readonly [name: string]: (...numbers: number[]) => void };

/** Imports of the module. No region calls an imported function. */
function importsOf(module: WebAssembly.Module, memory: WebAssembly.Memory): WebAssembly.Imports {
  const imports: { [from: string]: { [name: string]: WebAssembly.ImportValue } } = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const refuse = (): never => {
      throw new Error(`a helper called ${name}`);
    };
    imports[from] = { ...imports[from], [name]: kind === 'memory' ? memory : refuse };
  }
  return imports;
}

/** Runs parts of regions until the thread is ended. */
function help({ module, memory, member, stack }: Assignment, arrive: () => void): void {
  const instance = new WebAssembly.Instance(module, importsOf(module, memory));
  const { _emscripten_stack_restore, team_member, team_fail } = instance.exports as Exports;
  _emscripten_stack_restore?.(stack);
  arrive();
  try {
    team_member?.(member);
  } catch (error) {
    team_fail?.();
    throw error;
  }
}

const parent = nodeThreads()?.parentPort;
const post = (): void => (parent ? parent.postMessage(0, []) : globalThis.postMessage(0));
const receive = (message: unknown): void => help(message as Assignment, post);
if (parent) parent.on('message', receive);
else globalThis.onmessage = ({ data }) => receive(data);
