// SPDX-License-Identifier: MIT
import { isPlain, checkOptions, refuse } from '../base/check.js';
import { UnsupportedError } from '../base/errors.js';
import { native } from './engine.js';
import { type Compiled, isWasmSource, type WasmSource } from './wasm_input.js';
import { fits, markOf } from './wasm_mark.js';
import { compileChunk, compileFile, compileSource, explain } from './wasm_module.js';

/** The build of the core: plain SIMD, or with fused multiply-add (relaxed SIMD). */
export type Variant = 'simd' | 'relaxed';
/** Where the wasm of each variant is: what `maskflow/wasm`, `maskflow/recurrent/wasm` and `maskflow/train/wasm` export. */
export type WasmVariants = { readonly [Name in Variant]: WasmSource };
/** Do recurrent layers pass masks on (Keras 3.15) or not (its development version 3.16)? */
export type MaskPropagation = 'keras-3.15' | 'keras-3.16';

export interface ReadyOptions {
  /**
   * 'auto' takes 'relaxed' where the engine has relaxed SIMD and the CPU fuses a multiplication and an
   * addition into one rounding, else 'simd'. The two differ in the last bits; 'simd' gives the same
   * bits on all machines. 'relaxed' is an UnsupportedError where 'auto' would not take it.
   */
  variant?: 'auto' | Variant;
  /**
   * The wasm in place of the one inside the scripts: an address, a response, bytes or a module; or, by
   * variant, two of these, of which the one is taken that this engine runs:
   * `import { wasm } from 'maskflow/wasm'`. FormatError for another module than that of this entry and
   * version, or more than 64 MiB from the network; StateError if it cannot be fetched.
   */
  wasm?: WasmSource | WasmVariants;
  /** Ends the wait: the promise rejects with the signal's reason. A later `ready()` starts again. */
  signal?: AbortSignal;
  maskPropagation?: MaskPropagation;
  /** What to do when a mask reaches a layer that does not support it. Default 'warn'. */
  onMaskDropped?: 'warn' | 'error' | 'silent';
  /** Seed of the random numbers of initializers and dropout. */
  seed?: number;
  /**
   * How many bytes tensors, weights and what computes with them may take at once: 1 GiB by default. What would
   * take more is a StateError before the memory is asked for. The wasm memory ends at 2 GiB.
   */
  maxBytes?: number;
}

/** Names of the options. */
export const readyOptions: { readonly [Name in keyof Required<ReadyOptions>]: 1 } = {
  variant: 1,
  wasm: 1,
  maskPropagation: 1,
  onMaskDropped: 1,
  seed: 1,
  maxBytes: 1,
  signal: 1,
};

export interface RuntimeInfo {
  version: string;
  variant: Variant;
  /** What is there: all layers, the recurrent ones of maskflow/recurrent, or all and what trains, of maskflow/train. */
  layers: 'all' | 'recurrent' | 'train';
  /** The version of Keras whose numbers are reproduced. */
  kerasSemantics: string;
  maskPropagation: MaskPropagation;
  onMaskDropped: 'warn' | 'error' | 'silent';
  /** Size of the wasm module in bytes; 0 when it was given as a compiled module. */
  wasmBytes: number;
}

/** The wasm of each variant: a file of the package, and the same as base64 of gzip. */
export type WasmChunks = Record<
  Variant,
  { file: string; load: () => Promise<{ default: string }> }
>;

/** One of the package's modules. */
export interface PackageModule {
  readonly layers: RuntimeInfo['layers'];
  readonly chunks: WasmChunks;
}

interface Signalled {
  signal?: AbortSignal | undefined;
}

let info: RuntimeInfo | undefined;

/** What was started last, of an instance that has ended, too. */
export const startedInfo = (): RuntimeInfo => info as RuntimeInfo;

export function setRuntimeInfo(running: RuntimeInfo): void {
  info = running;
}

// The smallest modules that use a vector (i32x4.splat) behind a `try`, and that export f(a, b, c) = a b + c
// by f32x4.relaxed_madd, of whose lanes it returns the last.
const header = [0, 97, 115, 109, 1, 0, 0, 0, 1];
const body = [3, 2, 1, 0];
const simdProbe = [5, 1, 96, 0, 1, 123, ...body, 10, 11, 1, 9, 0, 6, 64, 11, 65, 0, 253, 17, 11];
const splat = (argument: number): number[] => [32, argument, 253, 19];
const madd = [...splat(0), ...splat(1), ...splat(2), 253, 133, 2, 253, 31, 3, 11];
const relaxedProbe = [8, 1, 96, 3, 125, 125, 125, 1, 125, ...body, 7, 5, 1, 1, 102, 0, 0];

const probe = (rest: number[]): Uint8Array<ArrayBuffer> => new Uint8Array([...header, ...rest]);

/**
 * Whether relaxed SIMD is right here. Where the CPU does not fuse a multiplication with an addition (without
 * FMA, which nearly all x86 CPUs since 2013 have), the optimising compiler of V8 in Node 22 and 24 computes
 * other numbers. A product whose last bit only a fused addition keeps tells: (1 + 2⁻¹²)² − (1 + 2⁻¹¹).
 */
function fuses(): boolean {
  const bytes = probe([...relaxedProbe, 10, madd.length + 3, 1, madd.length + 1, 0, ...madd]);
  if (!WebAssembly.validate(bytes)) return false;
  try {
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as {
      f: (...numbers: number[]) => number;
    };
    return f(1 + 2 ** -12, 1 + 2 ** -12, -1 - 2 ** -11) === 2 ** -24;
  } catch {
    // Runtimes that compile nothing while they run (workerd) are given a module, which was chosen before.
    return true;
  }
}

export function checkVariant(wanted: unknown): void {
  if (!['auto', 'simd', 'relaxed'].includes(wanted as string)) {
    refuse('variant', "'auto', 'simd' or 'relaxed'", wanted);
  }
}

function choose(wanted: 'auto' | Variant): Variant {
  checkVariant(wanted);
  if (typeof WebAssembly !== 'object') {
    throw new UnsupportedError(
      'there is no WebAssembly here: the engine has none, or runs without it (node --jitless, the lockdown mode of a device)',
    );
  }
  if (wanted !== 'simd' && fuses()) return 'relaxed';
  if (wanted === 'relaxed') {
    throw new UnsupportedError(
      "this engine has no relaxed SIMD, or the CPU no fused multiply-add; use variant 'simd' or 'auto'",
    );
  }
  if (WebAssembly.validate(probe(simdProbe))) return 'simd';
  throw new UnsupportedError(
    'this engine has no WebAssembly SIMD or no exceptions in WebAssembly; Chrome 95, Firefox 100, Safari 16.4 and Node 20 have both',
  );
}

const oneWasm = 'an address, a Response, bytes or a module';

/** Both, or an error: one alone would fail in the engines that run the other. */
function ofVariants(wasm: WasmVariants): WasmVariants {
  if (!isPlain(wasm)) refuse('wasm', `${oneWasm}, or { simd, relaxed } of these`, wasm);
  checkOptions(wasm, { simd: 1, relaxed: 1 });
  for (const name of ['simd', 'relaxed'] as const) {
    if (!isWasmSource(wasm[name])) refuse(`wasm.${name}`, oneWasm, wasm[name]);
  }
  return wasm;
}

/**
 * The wasm that `ready` would run, compiled. Workers can share it. Without `layers`, the module may be any of the
 * package's.
 */
export async function compiledModule(
  { variant = 'auto', wasm, signal }: Omit<ReadyOptions, 'signal'> & Signalled,
  { layers, chunks }: { layers?: PackageModule['layers'] | undefined; chunks: WasmChunks },
): Promise<Compiled & { variant: Variant }> {
  const chosen = choose(variant);
  const isFree = isWasmSource(wasm) && variant === 'auto';
  const wanted = { layers, variant: isFree ? undefined : chosen };
  const given = await compileChosen().catch((error) => explain(error));
  const mark = markOf(given.compiled);
  if (!fits(mark, wanted)) throw (await import('./wasm_source.js')).wrongModule(mark, wanted);
  return { variant: isFree ? choose(mark.variant) : chosen, ...given };

  async function compileChosen(): Promise<Compiled> {
    if (wasm !== undefined) {
      return compileSource(isWasmSource(wasm) ? wasm : ofVariants(wasm)[chosen], signal);
    }
    const { file, load } = chunks[chosen];
    return compileFile(file, wanted) ?? compileChunk((await load()).default);
  }
}

/** What is running. StateError before `ready()`. */
export function runtimeInfo(): RuntimeInfo {
  native();
  return { ...(info as RuntimeInfo) };
}

/** What is alive in the wasm memory: tensors (weights included), their bytes, and the memory's size. */
export function memory(): { tensors: number; bytes: number; heapBytes: number } {
  const module = native();
  return { ...module.memory(), heapBytes: module.HEAPU8.byteLength };
}
