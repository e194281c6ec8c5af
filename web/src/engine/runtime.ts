// SPDX-License-Identifier: MIT
// The options of `ready` and the choice of the wasm: which variant this engine can run, and where
// its bytes come from. entries/start.ts calls it.
import { isPlain } from '../base/check.js';
import { Service } from '../base/service.js';
import { native } from './engine.js';
import type { ThreadFacts, Threads } from './threads.js';
import { compileDifference } from './wasm_difference.js';
import {
  type Compiled,
  isModule,
  isWasmSource,
  type WasmChunk,
  type WasmChunks,
  type WasmSource,
} from './wasm_input.js';
import { fits, markOf } from './wasm_mark.js';
import { compileChunk, compileFile, compileSource, explain } from './wasm_module.js';

/** Seeds random numbers that the core does not draw. */
export const seeding = new Service<(seed: number) => void>('');

/** A build of the core: with SIMD, or also with fused multiply-add (relaxed SIMD). */
export type Variant = 'simd' | 'relaxed';
/**
 * The wasm of each variant, as `maskflow/wasm`, `maskflow/recurrent/wasm` and `maskflow/train/wasm`
 * export it. `threads` is the variant 'relaxed' for several threads. Variants that are left out,
 * also 'simd' for several threads, are computed from `relaxed`.
 */
export type WasmVariants = { readonly relaxed: WasmSource } & {
  readonly [Name in 'simd' | 'threads']?: WasmSource;
};
/**
 * Whether recurrent layers pass masks on: Keras 3.15 does, its development version 3.16 does not.
 */
export type MaskPropagation = 'keras-3.15' | 'keras-3.16';

/** Options of `ready`. */
export interface ReadyOptions {
  /**
   * 'auto' (default) chooses 'relaxed' if the engine has relaxed SIMD and the CPU fuses a
   * multiplication and an addition into one rounding, else 'simd'. Their results differ in the last
   * bits; those of 'simd' are the same on all machines. 'relaxed' throws an UnsupportedError where
   * 'auto' would not choose it.
   */
  variant?: 'auto' | Variant;
  /**
   * Wasm that replaces the one inside the scripts: an address, a response, bytes or a module. It
   * may also be one for each variant, as in `import { wasm } from 'maskflow/wasm'`; only the chosen
   * one is fetched. Throws FormatError for a module of another entry or version, and for more than
   * 64 MiB from the network; StateError if it cannot be fetched.
   */
  wasm?: WasmSource | WasmVariants;
  /**
   * Number of threads that compute, 1 to 64, or 'auto' for one for each core, at most 8. Default:
   * the environment variable MASKFLOW_THREADS in Node, otherwise 1. Results have the same bits for
   * any number. Threads need shared memory, which a page has only if it is cross-origin isolated.
   * Otherwise one thread computes, and `runtimeInfo().threadsReason` says why. Later calls cannot
   * change the number.
   */
  threads?: number | 'auto';
  /** Rejects the promise with the signal's reason. A later `ready()` starts again. */
  signal?: AbortSignal;
  /** Whether recurrent layers pass masks on. Default: 'keras-3.15'. */
  maskPropagation?: MaskPropagation;
  /** Reaction to a mask that reaches a layer without support for masks. Default: 'warn'. */
  onMaskDropped?: 'warn' | 'error' | 'silent';
  /**
   * Seed of random numbers (initializers, dropout, shuffling, `random`): an integer. Default: a
   * random seed.
   */
  seed?: number;
  /**
   * Most bytes that tensors, weights and computations may use at once. Default: 2³⁰ (1 GiB). A call
   * that needs more throws a StateError before it allocates. The wasm memory ends at 2 GiB. With
   * threads, the memory is reserved at the start: later calls cannot raise the limit much.
   */
  maxBytes?: number;
}

/** Names of the options. */
export const readyOptions: { readonly [Name in keyof Required<ReadyOptions>]: 1 } = {
  variant: 1,
  wasm: 1,
  threads: 1,
  maskPropagation: 1,
  onMaskDropped: 1,
  seed: 1,
  maxBytes: 1,
  signal: 1,
};

/** Facts about the running module, and its settings. */
export interface RuntimeInfo extends ThreadFacts {
  /** Version of the package. */
  version: string;
  /** Variant of the running module. */
  variant: Variant;
  /** The running module: all layers, those of maskflow/recurrent, or all layers and training. */
  layers: 'all' | 'recurrent' | 'train';
  /** The version of Keras whose results are reproduced. */
  kerasSemantics: string;
  /** Whether recurrent layers pass masks on; see {@link ReadyOptions.maskPropagation}. */
  maskPropagation: MaskPropagation;
  /** Reaction to a dropped mask; see {@link ReadyOptions.onMaskDropped}. */
  onMaskDropped: 'warn' | 'error' | 'silent';
  /** Size of the wasm in bytes; 0 if it was passed as a compiled module. */
  wasmBytes: number;
}

/** Compiled wasm that `ready` runs. */
export interface Chosen extends Compiled {
  variant: Variant;
  /** Undefined if no number of threads was asked for. */
  threads: Threads | undefined;
}

/** A wasm module of the package. */
export interface PackageModule {
  readonly layers: RuntimeInfo['layers'];
  readonly chunks: WasmChunks;
}

interface Signalled {
  signal?: AbortSignal | undefined;
}

let info: RuntimeInfo | undefined;

/** The last started module, also after its instance has ended. */
export const startedInfo = (): RuntimeInfo => info as RuntimeInfo;

export function setRuntimeInfo(running: RuntimeInfo): void {
  info = running;
}

// The smallest modules that use a vector (i32x4.splat) behind a `try`, and that export f(a, b, c) =
// a b + c by f32x4.relaxed_madd, of whose lanes it returns the last.
const header = [0, 97, 115, 109, 1, 0, 0, 0, 1];
const body = [3, 2, 1, 0];
const simdProbe = [5, 1, 96, 0, 1, 123, ...body, 10, 11, 1, 9, 0, 6, 64, 11, 65, 0, 253, 17, 11];
const splat = (argument: number): number[] => [32, argument, 253, 19];
const madd = [...splat(0), ...splat(1), ...splat(2), 253, 133, 2, 253, 31, 3, 11];
const relaxedProbe = [8, 1, 96, 3, 125, 125, 125, 1, 125, ...body, 7, 5, 1, 1, 102, 0, 0];

const probe = (rest: number[]): Uint8Array<ArrayBuffer> => new Uint8Array([...header, ...rest]);

/**
 * Returns whether relaxed SIMD computes correctly. Without FMA, which nearly all x86 CPUs since
 * 2013 have, the optimising compiler of V8 in Node 22 and 24 computes wrong numbers. The probe is a
 * product whose last bit only a fused addition keeps: (1 + 2⁻¹²)² − (1 + 2⁻¹¹).
 */
function fusesMultiplyAdd(): boolean {
  const bytes = probe([...relaxedProbe, 10, madd.length + 3, 1, madd.length + 1, 0, ...madd]);
  if (!WebAssembly.validate(bytes)) return false;
  try {
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as {
      f: (...numbers: number[]) => number;
    };
    return f(1 + 2 ** -12, 1 + 2 ** -12, -1 - 2 ** -11) === 2 ** -24;
  } catch {
    // Runtimes that cannot compile (workerd) receive a compiled module, so the choice is made
    // already.
    return true;
  }
}

/** Fetches the code of errors. */
export const startErrors = () => import('./start_errors.js');

/** Returns the variant that an engine runs for the option; undefined if there is none. */
function choose(wanted: 'auto' | Variant): Variant | undefined {
  if (typeof WebAssembly !== 'object') return undefined;
  const isAuto = wanted === 'auto';
  if ((isAuto || wanted === 'relaxed') && fusesMultiplyAdd()) return 'relaxed';
  const isSimd = isAuto || wanted === 'simd';
  return isSimd && WebAssembly.validate(probe(simdProbe)) ? 'simd' : undefined;
}

/**
 * Returns whether all is wasm, `relaxed` too: `simd` alone would fail in engines that choose it.
 */
const areVariants = (wasm: object): boolean =>
  isPlain(wasm) &&
  'relaxed' in wasm &&
  Object.entries(wasm).every(
    ([name, source]) => /^(simd|relaxed|threads)$/.test(name) && isWasmSource(source),
  );

/** The number of threads that a program's environment sets. Deno would ask its user for access. */
const environmentThreads = (): string | undefined =>
  'Deno' in globalThis
    ? undefined
    : (globalThis as { process?: { env?: { MASKFLOW_THREADS?: string } } }).process?.env
        ?.MASKFLOW_THREADS || undefined;

/**
 * Compiles the wasm that `ready` would run. Workers can share it. Without `layers`, any module of
 * the package is allowed.
 */
export async function compiledModule(
  options: Omit<ReadyOptions, 'signal'> & Signalled,
  { layers, chunks }: { layers?: PackageModule['layers'] | undefined; chunks: WasmChunks },
): Promise<Chosen> {
  const { variant = 'auto', wasm, signal } = options;
  const chosen = choose(variant) ?? (await startErrors()).refuseVariant(variant);
  const { threads: asked = environmentThreads() } = options;
  const threads =
    asked === undefined
      ? asked
      : await (await import('./team.js')).planThreads(options, chosen, chunks);
  const build = threads ? threads.build : chosen;
  const isFree = isWasmSource(wasm) && variant === 'auto';
  const wanted = { layers, variant: isFree && !threads ? undefined : build };
  const result = threads?.compiled ?? (await compileChosen().catch((error) => explain(error)));
  const mark = markOf(result.compiled);
  if (!fits(mark, wanted)) throw (await import('./wasm_source.js')).wrongModule(mark, wanted);
  const { variant: found } = mark;
  const one = found.endsWith('threads') ? chosen : (found as Variant);
  const ran = isFree ? choose(one) : one;
  if (!ran) return (await startErrors()).refuseVariant(found);
  return { variant: ran, threads, ...result };

  async function compileChosen(): Promise<Compiled> {
    const given = isWasmSource(wasm) ? undefined : (wasm as WasmVariants | undefined);
    if (given !== undefined && !areVariants(given)) (await startErrors()).checkVariants(given);
    const source = isWasmSource(wasm) ? wasm : given?.[build as 'threads'];
    if (source !== undefined) return compileSource(source, signal);
    const chunk = chunks[build] as WasmChunk;
    const compiled = compileFile(chunk.file, wanted);
    if (compiled) return compiled;
    if (!chunk.difference) return compileChunk((await chunk.load()).default);
    // A compiled module has no bytes to compute from.
    const base = isModule(given?.relaxed) ? undefined : given?.relaxed;
    return compileDifference(chunk, chunks, base, { layers, signal });
  }
}

/** Facts about the running module, and its settings. Throws StateError before `ready()`. */
export function runtimeInfo(): RuntimeInfo {
  native();
  return { ...(info as RuntimeInfo) };
}

/** Counts the tensors in the wasm memory. Throws StateError before `ready()`. */
export function memory(): {
  /** Number of tensors, weights included. */
  tensors: number;
  /** Bytes of all tensors. */
  bytes: number;
  /** Size of the wasm memory, which never shrinks. */
  heapBytes: number;
} {
  const module = native();
  return { ...module.memory(), heapBytes: module.HEAPU8.byteLength };
}
