// SPDX-License-Identifier: MIT
// Compiles variants that the package stores as a difference from `relaxed`:
// docs/internals/bytes.md. wasm_patch.ts, which applies it, is fetched on demand.
import { bytesBeside } from './wasm_file.js';
import type { Compiled, Loading, Parts, WasmChunk, WasmSource } from './wasm_input.js';
import { startReading } from './wasm_module.js';

function begin({ load }: WasmChunk): Loading {
  const loading = load();
  loading.catch(() => {});
  return loading;
}

/**
 * Compiles a variant of which the package has the difference from `base`. `given` is the wasm that
 * the program passed in place of `base`, `layers` those that it must have.
 */
export async function compileDifference(
  script: WasmChunk,
  base: WasmChunk,
  given: WasmSource | undefined,
  { layers, signal }: { layers: string | undefined; signal: AbortSignal | undefined },
): Promise<Compiled> {
  // Begins all transfers before the import below, so that a page waits for them at once.
  const parts: Parts = {
    script: bytesBeside(script.difference as string) ?? begin(script),
    base: given === undefined ? (bytesBeside(base.file) ?? begin(base)) : startReading(given),
  };
  const { compilePatched } = await import('./wasm_patch.js');
  return compilePatched(parts, { script, base }, { layers, signal });
}
