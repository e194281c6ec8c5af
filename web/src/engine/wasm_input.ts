// SPDX-License-Identifier: MIT
// Wasm that programs pass to `ready({ wasm })`, and wasm on its way from the package.
import { isBytes, tagOf } from '../base/tag.js';

/** Wasm from outside the package's scripts: an address, a response, bytes or a module. */
export type WasmSource = URL | string | Response | BufferSource | WebAssembly.Module;

export interface Compiled {
  compiled: WebAssembly.Module;
  /** Size of the wasm in bytes; 0 if it was given as a module. */
  wasmBytes: number;
}

/** Wasm that is being read, and the controller that ends its transfer, also that of fetch. */
export interface Reading {
  readonly source: Promise<WasmSource>;
  readonly wasm: WasmSource;
  readonly control: AbortController;
}

/** A script of the package that is being fetched; its text is gzip in base64. */
export type Loading = Promise<{ default: string }>;

/** The wasm of a variant in the package. */
export interface WasmChunk {
  /** Its file, if it has one. */
  readonly file?: string;
  /**
   * The file of its script, if that has the difference from another variant and not the module.
   */
  readonly difference?: string;
  /** Fetches its script. */
  load(): Loading;
}

/** The wasm of each variant in the package. */
export interface WasmChunks {
  readonly simd: WasmChunk;
  readonly relaxed: WasmChunk;
  /** `relaxed` for several threads. */
  readonly threads: WasmChunk;
  /** `simd` for several threads; missing in scripts that contain or receive their wasm. */
  readonly simd_threads?: WasmChunk;
}

/** Sources of a computed variant: files that were read, or transfers that have begun. */
export interface Parts {
  readonly script: Uint8Array<ArrayBuffer> | Loading;
  readonly base: Uint8Array<ArrayBuffer> | Loading | Reading;
}

export const isAddress = (wasm: unknown): wasm is URL | string =>
  /^(String|URL)$/.test(tagOf(wasm));
export const isModule = (wasm: unknown): wasm is WebAssembly.Module =>
  tagOf(wasm) === 'WebAssembly.Module';
export const isResponse = (wasm: unknown): wasm is Response => tagOf(wasm) === 'Response';

/**
 * Returns whether the value is a single source. Whether it contains wasm shows when it is compiled.
 */
export const isWasmSource = (wasm: unknown): wasm is WasmSource =>
  [isAddress, isModule, isResponse, isBytes].some((is) => is(wasm));

/**
 * Compiles bytes. `explain` throws a better error in place of the engine's; its second argument
 * begins the message for bytes that are not WebAssembly.
 */
export async function compileBytes(
  bytes: BufferSource,
  explain: (error: unknown, subject: string) => Promise<never>,
): Promise<Compiled> {
  const { byteLength } = bytes;
  const compiled = await WebAssembly.compile(bytes).catch((error) =>
    explain(error, `the ${byteLength} bytes given as wasm are`),
  );
  return { compiled, wasmBytes: byteLength };
}
