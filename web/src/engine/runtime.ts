// SPDX-License-Identifier: MIT
import { isPlain, known, refuse } from '../base/check.js';
import { UnsupportedError } from '../base/errors.js';
import { native } from './engine.js';
import {
  type Compiled,
  compileChunk,
  compileFile,
  compileSource,
  isWasmSource,
  markOf,
  type WasmSource,
} from './wasm_module.js';

/** Which build of the core runs: plain SIMD, or with fused multiply-add (relaxed SIMD). */
export type Variant = 'simd' | 'relaxed';
/** Where the wasm of each variant is: what `maskflow/wasm`, `maskflow/recurrent/wasm` and `maskflow/train/wasm` export. */
export type WasmVariants = { readonly [Name in Variant]: WasmSource };
/** Do recurrent layers pass masks on (Keras 3.15) or not (its development version 3.16)? */
export type MaskPropagation = 'keras-3.15' | 'keras-3.16';

export interface ReadyOptions {
  /** 'auto' takes relaxed SIMD where the engine has it. Force 'simd' for equal bits on all machines. */
  variant?: 'auto' | Variant;
  /**
   * The wasm in place of the one inside the scripts: an address, a response, bytes or a module; or, by variant, two of these, of which
   * the one is taken that this engine runs: `import { wasm } from 'maskflow/wasm'`.
   */
  wasm?: WasmSource | WasmVariants;
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

let info: RuntimeInfo | undefined;

/** What was started last, of an instance that has ended, too. */
export const startedInfo = (): RuntimeInfo => info as RuntimeInfo;

export function setRuntimeInfo(running: RuntimeInfo): void {
  info = running;
}

// The smallest modules that use a vector (i32x4.splat) behind a `try`, and a fused multiply-add (f32x4.relaxed_madd).
const header = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10];
const splat = [65, 0, 253, 17];
const guarded = [6, 64, 11];
const probes: Record<Variant, number[]> = {
  simd: [...header, 11, 1, 9, 0, ...guarded, ...splat, 11],
  relaxed: [...header, 19, 1, 17, 0, ...splat, ...splat, ...splat, 253, 133, 2, 11],
};

const supports = (variant: Variant): boolean =>
  WebAssembly.validate(new Uint8Array(probes[variant]));

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
  if (wanted !== 'simd' && supports('relaxed')) return 'relaxed';
  if (wanted === 'relaxed') {
    throw new UnsupportedError("this engine has no relaxed SIMD; use variant 'simd' or 'auto'");
  }
  if (supports('simd')) return 'simd';
  throw new UnsupportedError(
    'this engine has no WebAssembly SIMD or no exceptions in WebAssembly; Chrome 95, Firefox 100, Safari 16.4 and Node 20 have both',
  );
}

const oneWasm = 'an address, a Response, bytes or a module';

/** Both, or an error: one alone would fail in the engines that run the other. */
function ofVariants(wasm: WasmVariants): WasmVariants {
  if (!isPlain(wasm)) refuse('wasm', `${oneWasm}, or { simd, relaxed } of these`, wasm);
  known(wasm, { simd: 1, relaxed: 1 });
  for (const name of ['simd', 'relaxed'] as const) {
    if (!isWasmSource(wasm[name])) refuse(`wasm.${name}`, oneWasm, wasm[name]);
  }
  return wasm;
}

/** The wasm that `ready` would run, compiled. Workers can share it. */
export async function compiledModule(
  { variant = 'auto', wasm }: ReadyOptions,
  chunks: WasmChunks,
): Promise<Compiled & { variant: Variant }> {
  const chosen = choose(variant);
  if (wasm === undefined) {
    const { file, load } = chunks[chosen];
    const compiled = compileFile(file) ?? (await compileChunk((await load()).default));
    return { variant: chosen, ...compiled };
  }
  const given = await compileSource(isWasmSource(wasm) ? wasm : ofVariants(wasm)[chosen]);
  const mark = markOf(given.compiled);
  return { variant: mark ? (mark.variant as Variant) : chosen, ...given };
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
