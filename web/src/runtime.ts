// SPDX-License-Identifier: MIT
import { options as optionsOf, refuse } from './check.js';
import { isReady, native, setNative, unwrap } from './engine.js';
import { FormatError, StateError, UnsupportedError } from './errors.js';
import { host } from './host.js';
import { wrapModels } from './model.js';
import type { NativeModule } from './native.js';
import { type Parts, setParts } from './parts.js';
import { checkDepth, LayerReference } from './plain.js';
import { forgetAll } from './registry.js';
import { wrapSequential } from './sequential.js';
import { version } from './version.js';
import {
  type Compiled,
  compileChunk,
  compileFile,
  compileSource,
  markOf,
  refusal,
  type WasmSource,
} from './wasm_module.js';

/** Which build of the core runs: plain SIMD, or with fused multiply-add (relaxed SIMD). */
export type Variant = 'simd' | 'relaxed';
/** Do recurrent layers pass masks on (Keras 3.15) or not (its development version 3.16)? */
export type MaskPropagation = 'keras-3.15' | 'keras-3.16';

export interface ReadyOptions {
  /** 'auto' takes relaxed SIMD where the engine has it. Force 'simd' for equal bits on all machines. */
  variant?: 'auto' | Variant;
  /** The wasm, when it does not come with the package: an address, a response, bytes or a module. */
  wasm?: WasmSource;
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
  /** Which layers are there: all, or the recurrent ones of the entry maskflow/recurrent. */
  layers: 'all' | 'recurrent';
  /** The version of Keras whose numbers are reproduced. */
  kerasSemantics: string;
  maskPropagation: MaskPropagation;
  onMaskDropped: 'warn' | 'error' | 'silent';
  /** Size of the wasm module in bytes; 0 when it was given as a compiled module. */
  wasmBytes: number;
}

let starting: Promise<void> | undefined;
let started: Parts | undefined;
let info: RuntimeInfo | undefined;
let compiling: Promise<Compiled & { variant: Variant }> | undefined;
let restarting: Promise<void> | undefined;

// The smallest modules that use a vector (i32x4.splat) and a fused multiply-add (f32x4.relaxed_madd).
const header = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10];
const splat = [65, 0, 253, 17];
const probes: Record<Variant, number[]> = {
  simd: [...header, 8, 1, 6, 0, ...splat, 11],
  relaxed: [...header, 19, 1, 17, 0, ...splat, ...splat, ...splat, 253, 133, 2, 11],
};

const supports = (variant: Variant): boolean =>
  WebAssembly.validate(new Uint8Array(probes[variant]));

function choose(wanted: 'auto' | Variant): Variant {
  if (!['auto', 'simd', 'relaxed'].includes(wanted)) {
    refuse('variant', "'auto', 'simd' or 'relaxed'", wanted);
  }
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
    'this engine has no WebAssembly SIMD; Chrome 91, Firefox 89, Safari 16.4 and Node 20 have it',
  );
}

/** The wasm that `ready` would run, compiled. Workers can share it. */
export async function compiledModule(
  { variant = 'auto', wasm }: ReadyOptions,
  chunks: Parts['chunks'],
): Promise<Compiled & { variant: Variant }> {
  const chosen = choose(variant);
  if (wasm === undefined) {
    const { file, load } = chunks[chosen];
    const compiled = compileFile(file) ?? (await compileChunk((await load()).default));
    return { variant: chosen, ...compiled };
  }
  const given = await compileSource(wasm);
  const mark = markOf(given.compiled);
  return { variant: mark ? (mark.variant as Variant) : chosen, ...given };
}

/** What instantiating says of a module that lacks what the glue takes from it, or wants what the glue has not. */
function asForeign(error: unknown): unknown {
  if (error instanceof RangeError) {
    return new StateError(`there is no memory for the wasm (${error.message})`);
  }
  if (!(error instanceof TypeError || error instanceof WebAssembly.LinkError)) {
    // (WebKit compiles under any policy, and refuses here.)
    return refusal(error) ?? error;
  }
  return new FormatError(
    `the wasm is not that of maskflow ${version} (${error.message}); give maskflow-simd.wasm or maskflow-relaxed.wasm of this version`,
  );
}

async function start(
  parts: Parts,
  compiling: Promise<Compiled & { variant: Variant }>,
): Promise<void> {
  // Where this fails before the glue is there, that is told below.
  compiling.catch(() => {});
  const { default: factory } = await import('./chunks/glue.js');
  const loaded = await new Promise<NativeModule>((resolve, reject) => {
    // (The glue may never ask for the wasm: without WebAssembly it ends before.)
    compiling.catch(reject);
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object => {
      const run = ({ compiled }: Compiled): Promise<void> =>
        WebAssembly.instantiate(compiled, imports)
          .then((instance) => done(instance, compiled))
          .catch((error: unknown) => reject(asForeign(error)));
      compiling.then(run, () => {});
      return {};
    };
    // Before the wasm is there: the glue's own beginnings take as long as a prediction or two.
    factory({ instantiateWasm }).then((module) => resolve(module as NativeModule), reject);
  });
  const { variant, wasmBytes } = await compiling;
  // The core asks for it by name.
  Object.assign(loaded, { LayerReference });
  setNative(loaded);
  forgetAll();
  unwrap(loaded.setHost(host));
  setParts(parts);
  parts.wrapLayers();
  unwrap(loaded.configure({ absent_note: parts.absentNote }));
  wrapModels();
  wrapSequential();
  info = {
    version,
    variant,
    layers: parts.layers,
    kerasSemantics: '3.15',
    maskPropagation: 'keras-3.15',
    onMaskDropped: 'warn',
    wasmBytes,
  };
}

function configure(options: ReadyOptions): void {
  const before = info as RuntimeInfo;
  const { maskPropagation, onMaskDropped, seed, maxBytes } = options;
  unwrap(
    native().configure({
      ...(maskPropagation && { mask_propagation: checkDepth(maskPropagation, 'maskPropagation') }),
      ...(onMaskDropped && { on_mask_dropped: checkDepth(onMaskDropped, 'onMaskDropped') }),
      ...(seed !== undefined && { seed: checkDepth(seed, 'seed') }),
      ...(maxBytes !== undefined && { max_bytes: checkDepth(maxBytes, 'maxBytes') }),
    }),
  );
  info = {
    ...before,
    maskPropagation: maskPropagation ?? before.maskPropagation,
    onMaskDropped: onMaskDropped ?? before.onMaskDropped,
  };
}

/** `ready` of an entry: what it starts is what the entry has. See there. */
export function readyWith(options: ReadyOptions, parts: Parts): Promise<void> {
  try {
    optionsOf(options);
  } catch (error) {
    return Promise.reject(error);
  }
  if (!starting) {
    compiling = compiledModule(options, parts.chunks);
    starting = start(parts, compiling).catch((error: unknown) => {
      starting = undefined;
      started = undefined;
      throw error;
    });
  }
  started ??= parts;
  const settles = Object.values(options).some((value) => value !== undefined);
  return settles || parts !== started ? starting.then(() => settle(options, parts)) : starting;
}

/**
 * A fresh wasm instance in place of the one that runs, or that a trap ended: of the same variant and with the same settings,
 * but for the seed. Nothing is fetched or compiled. What the old instance held is gone: its tensors, layers, models and
 * streams are StateErrors from then on. Before `ready()` it is `ready()`'s StateError.
 */
export function restart(): Promise<void> {
  restarting ??= again().finally(() => {
    restarting = undefined;
  });
  return restarting;
}

async function again(): Promise<void> {
  // (Before ready() this is where it says so.)
  if (!starting) native();
  await starting;
  const { maskPropagation, onMaskDropped } = info as RuntimeInfo;
  await start(started as Parts, compiling as never);
  configure({ maskPropagation, onMaskDropped });
}

function settle(options: ReadyOptions, parts: Parts): void {
  const forced = options.variant;
  const running = info as RuntimeInfo;
  if (forced && forced !== 'auto' && forced !== running.variant) {
    throw new StateError(
      `the variant '${forced}' was asked for, but '${running.variant}' is running; choose in the first call of ready()`,
    );
  }
  if (parts.layers === 'all' && running.layers !== 'all') {
    throw new StateError(
      'all layers were asked for, but the recurrent ones alone are running; call ready() of maskflow before that of maskflow/recurrent',
    );
  }
  configure(options);
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

export { isReady };
