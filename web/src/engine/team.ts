// SPDX-License-Identifier: MIT
// The threads of an instance, for the variants `threads` and `simd_threads` of the wasm:
// docs/internals/threads.md. It is a chunk of its own, which only programs that ask for threads
// fetch.
import { StateError, UnsupportedError } from '../base/errors.js';
import { refuse } from '../base/check.js';
import { unlessAborted } from '../base/abort.js';
import { cores } from './cores.js';
import { endInstance } from './engine.js';
import { Helper } from './helper_thread.js';
import { nodeThreads } from './node_threads.js';
import type { ThreadFacts, Threads } from './threads.js';
import { type Compiled, isWasmSource, type WasmChunks } from './wasm_input.js';
import { type Mark, markOf } from './wasm_mark.js';
import { compileSource, explain } from './wasm_module.js';

type Variant = 'simd' | 'relaxed';

/** The build of each variant for several threads. */
const builds = { simd: 'simd_threads', relaxed: 'threads' } as const;
const isThreaded = (build: string): boolean => Object.values<string>(builds).includes(build);

/** A helper's part in an instance. */
export interface Assignment {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Number of the helper, from 1 on. */
  member: number;
  /** End of its stack. */
  stack: number;
}

/** The functions of the core that the main thread calls. */
interface TeamExports {
  team_start(helpers: number, mayBlock: number): number;
  team_stack(member: number): number;
  team_end(): void;
}

const kMax = 64;
/** Threads of 'auto': further ones gain little. */
const kUsual = 8;
const kPageBytes = 2 ** 16;
/** Pages of the memory at first, and at most; as in scripts/cmake/wasm.cmake. */
const kFirstPages = 256;
const kMaxPages = 2 ** 15;
/** Seconds until a start without helpers goes on in one thread. */
const kPatience = 10;

const isolation =
  "this page is not cross-origin isolated, so it has no shared memory; send it with the headers 'Cross-Origin-Opener-Policy: same-origin' and 'Cross-Origin-Embedder-Policy: require-corp', or in Chromium with 'Document-Isolation-Policy: isolate-and-require-corp'";

const lacking =
  "this script has only the variant 'simd' for one thread; import maskflow as a module";

/** Returns the reason why this thread cannot have helpers; null if it can. */
function obstacle(): string | null {
  if (typeof SharedArrayBuffer === 'undefined') {
    const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
    return crossOriginIsolated === false ? isolation : 'this engine has no shared memory';
  }
  if (typeof Worker === 'undefined' && !nodeThreads()) {
    return 'this thread cannot start workers; compute in a page or in a dedicated worker';
  }
  return null;
}

/** Throws ValueError unless the value is a number of threads. */
function checkThreads(threads: unknown, name = 'threads'): asserts threads is number | 'auto' {
  const isCount = Number.isInteger(threads) && (threads as number) >= 1;
  if (threads === 'auto' || (isCount && (threads as number) <= kMax)) return;
  refuse(name, `'auto' or an integer from 1 to ${kMax}`, threads);
}

/** Throws StateError for another number of threads than the first call of `ready` asked for. */
export function checkSameThreads(
  threads: unknown,
  { threads: running }: { threads: Threads | undefined },
): void {
  checkThreads(threads);
  const asked = running?.asked ?? 1;
  if (threads === 'auto' || threads === asked || threads === running?.facts.threads) return;
  throw new StateError(
    `the module was started with threads ${asked}; choose ${threads} in the first call of ready()`,
  );
}

const variable = (): string | undefined =>
  (globalThis as { process?: { env: { MASKFLOW_THREADS?: string } } }).process?.env
    .MASKFLOW_THREADS;

/** Options of `ready` that decide about threads. */
interface PlanOptions {
  variant?: 'auto' | Variant;
  threads?: unknown;
  wasm?: unknown;
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Decides how many threads compute, and which build of the module. Without the option, the
 * environment variable decides.
 */
export async function planThreads(
  options: PlanOptions,
  chosen: Variant,
  chunks: WasmChunks,
): Promise<Team> {
  const isVariable = options.threads === undefined;
  const asked = isVariable ? variable() : options.threads;
  const threads = isVariable && asked !== 'auto' ? Number(asked) : asked;
  checkThreads(threads, isVariable ? 'MASKFLOW_THREADS' : undefined);
  const wanted = threads === 'auto' ? Math.min(kUsual, cores()) : threads;
  const single = threads === 'auto' && wanted === 1 ? 'this machine has one core' : null;
  const { maxBytes, wasm } = options;
  const isLacking = !isWasmSource(wasm) && !chunks[builds[chosen]];
  const reason = wanted === 1 ? single : (obstacle() ?? (isLacking ? lacking : null));
  const count = reason ? 1 : wanted;
  const build = count === 1 ? chosen : builds[chosen];
  const usual: Plan = { threads, count, reason, build, maxBytes, compiled: undefined };
  if (!isWasmSource(wasm)) {
    // `simd_threads` is computed by two differences. A page fetches the first one meanwhile.
    if (build === 'simd_threads' && !nodeThreads()) chunks.threads.load().catch(() => {});
    return new Team(usual);
  }
  const compiled = await compileSource(wasm, options.signal).catch(explain);
  return new Team({ ...usual, compiled, ...foundThreads(compiled, usual, options, chosen) });
}

/** The part of a plan that follows from the module that the program passed. */
function foundThreads(
  { compiled }: Compiled,
  { count, reason }: Plan,
  { variant = 'auto' }: PlanOptions,
  chosen: Variant,
): Pick<Plan, 'build' | 'count' | 'reason'> {
  const found = markOf(compiled)?.variant ?? chosen;
  const remedy = 'pass it as { relaxed }, from which that of several threads is computed';
  if (isThreaded(found)) {
    const refusal =
      found === builds[chosen] ? obstacle() : `it is not that of '${chosen}'; ${remedy}`;
    if (!refusal) return { build: found, count, reason };
    throw new UnsupportedError(`the variant '${found}' cannot run: ${refusal}`);
  }
  const other = `the wasm that was passed has one thread; ${remedy}`;
  return {
    build: variant === 'auto' ? found : chosen,
    count: 1,
    reason: reason ?? (count > 1 ? other : null),
  };
}

/** Returns whether this thread may wait. The main thread of a page may not. */
function mayBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates shared memory. The maximum leaves room for what `maxBytes` does not count. Devices that
 * cannot reserve as many addresses get less.
 */
function createMemory(maxBytes = 2 ** 30): WebAssembly.Memory {
  const pages = 2 * kFirstPages + Math.ceil((2 * maxBytes) / kPageBytes);
  for (let maximum = Math.min(kMaxPages, pages); ; maximum = Math.ceil(maximum / 2)) {
    try {
      return new WebAssembly.Memory({ initial: kFirstPages, maximum, shared: true });
    } catch (error) {
      if (maximum <= 2 * kFirstPages) throw error;
    }
  }
}

let hasWarned = false;

/**
 * A program of Node may set `starts` before `ready`. It then receives the functions that start the
 * helpers, which would start with their instance.
 */
export const postponed: { starts?: (() => void)[] } = {};

interface Plan {
  threads: number | 'auto';
  count: number;
  reason: string | null;
  build: Mark['variant'];
  maxBytes: number | undefined;
  compiled: Compiled | undefined;
}

/** Threads of the running instance, or the reason why there is only one. */
export class Team implements Threads {
  readonly asked: number | 'auto';
  readonly build: Plan['build'];
  readonly compiled: Compiled | undefined;
  readonly #count: number;
  readonly #maxBytes: number | undefined;
  #facts: ThreadFacts;
  #helpers: Helper[] = [];
  #part: Pick<Assignment, 'module' | 'memory'> | undefined;
  #exports: TeamExports | undefined;
  #report: ((facts: ThreadFacts) => void) | undefined;

  constructor({ threads, count, reason, build, maxBytes, compiled }: Plan) {
    this.asked = threads;
    this.build = build;
    this.compiled = compiled;
    this.#count = count;
    this.#maxBytes = maxBytes;
    this.#facts = { threads: count, threadsReason: reason };
  }

  get facts(): ThreadFacts {
    return this.#facts;
  }

  /** Warns once that fewer threads compute than the program asked for. */
  #warn(): void {
    if (hasWarned || this.asked === 'auto' || this.asked === 1) return;
    hasWarned = true;
    console.warn(
      `maskflow computes in one thread instead of ${this.asked}: ${this.#facts.threadsReason}`,
    );
  }

  async instantiate(
    module: WebAssembly.Module,
    imports: WebAssembly.Imports,
  ): Promise<WebAssembly.Instance> {
    this.#end();
    if (this.#facts.threadsReason) this.#warn();
    if (!isThreaded(this.build)) return WebAssembly.instantiate(module, imports);
    const memory = createMemory(this.#maxBytes);
    imports['env'] = { ...imports['env'], memory };
    this.#facts = { threads: this.#count, threadsReason: null };
    this.#part = { module, memory };
    if (!this.#starts) this.#createHelpers();
    try {
      const instance = await WebAssembly.instantiate(module, imports);
      this.#exports = instance.exports as unknown as TeamExports;
      return instance;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /**
   * Without helpers, one thread computes. In Node the program goes on while they start, which takes
   * longer than all the rest, and regions run with those that have arrived. Pages wait: there, a
   * script may be refused, and starts only while nothing computes.
   */
  async start(
    signal: AbortSignal | undefined,
    report: (facts: ThreadFacts) => void,
  ): Promise<void> {
    this.#report = report;
    this.#starts?.push(() => {
      this.#createHelpers();
      void this.#join(this.#helpers);
    });
    if (this.#helpers.length === 0) return;
    const joining = this.#join(this.#helpers);
    if (!nodeThreads()) await unlessAborted(joining, signal).catch(() => {});
    if (signal?.aborted) this.#end();
    signal?.throwIfAborted();
  }

  get #starts(): (() => void)[] | undefined {
    return isThreaded(this.build) ? postponed.starts : undefined;
  }

  #createHelpers(): void {
    try {
      for (let i = 1; i < this.#count; i++) this.#helpers.push(new Helper());
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Gives each helper its part, and waits until all run regions. Otherwise one thread computes. */
  async #join(helpers: Helper[]): Promise<void> {
    try {
      const exports = this.#exports as TeamExports;
      if (!exports.team_start(helpers.length, Number(mayBlock()))) {
        throw new Error('the memory for their stacks is exhausted');
      }
      const arrivals = helpers.map((helper, i) => {
        const member = i + 1;
        helper.post({ ...this.#part, member, stack: exports.team_stack(member) } as Assignment);
        return helper.arrival;
      });
      await within(kPatience, arrivals);
      for (const helper of helpers) helper.run((reason) => this.#lose(reason));
    } catch (error) {
      // Helpers of an instance that is gone were ended.
      if (this.#helpers === helpers) this.#giveUp(error);
    }
  }

  /** Ends the instance, because it would wait for a helper that has ended. */
  #lose(reason: string): void {
    this.#end();
    endInstance(`a helper ended: ${reason}`);
  }

  #giveUp(error: unknown): void {
    this.#end();
    const { message } = error as Error;
    this.#facts = {
      threads: 1,
      threadsReason: `the helpers cannot be started (${message}); on a page, allow their script by worker-src blob: in its Content-Security-Policy`,
    };
    this.#warn();
    this.#report?.(this.#facts);
  }

  #end(): void {
    this.#exports?.team_end();
    this.#exports = undefined;
    for (const helper of this.#helpers) helper.end();
    this.#helpers = [];
  }
}

/**
 * Rejects if helpers do not arrive in time. Counts whole seconds, one timer each: a program that
 * computes for long without a pause receives their messages only after the first timer.
 */
async function within(seconds: number, waiting: Promise<void>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    let left = seconds;
    const count = (): void => {
      if (left-- > 0) timer = setTimeout(count, 1000);
      else reject(new Error(`they did not start within ${seconds} s`));
    };
    count();
  });
  try {
    await Promise.race([Promise.all(waiting), late]);
  } finally {
    clearTimeout(timer);
  }
}
