// SPDX-License-Identifier: MIT
// Types of threads, for every entry. Their code, team.ts, is fetched only for `ready({ threads })`.
import type { Compiled } from './wasm_input.js';
import type { Mark } from './wasm_mark.js';

/** Facts about the threads of the running module. */
export interface ThreadFacts {
  /** Number of threads that compute; see `threads` of `ReadyOptions`. */
  threads: number;
  /**
   * Why one thread computes although more were wanted, and what to do; null if there is no reason.
   */
  threadsReason: string | null;
}

/** The threads of an instance; `team.ts` implements them. */
export interface Threads {
  readonly asked: number | 'auto';
  readonly facts: ThreadFacts;
  /** The build of the module; those for several threads import their memory. */
  readonly build: Mark['variant'];
  /** The module, if the program passed one. */
  readonly compiled: Compiled | undefined;
  /** Like `WebAssembly.instantiate`; also creates the memory, and starts the scripts of helpers. */
  instantiate(
    module: WebAssembly.Module,
    imports: WebAssembly.Imports,
  ): Promise<WebAssembly.Instance>;
  /**
   * Gives the helpers their parts in the instance, when its core has started. Calls `report` with
   * new facts if they fail, which may be later.
   */
  start(signal: AbortSignal | undefined, report: (facts: ThreadFacts) => void): Promise<void>;
}
