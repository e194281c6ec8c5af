// SPDX-License-Identifier: MIT
// Compiles variants that the package stores as a difference from another one:
// docs/internals/bytes.md. wasm_patch.ts, which applies it, is fetched on demand.
import { bytesBeside } from './wasm_file.js';
import type { Compiled, Loading, Parts, WasmChunk, WasmChunks, WasmSource } from './wasm_input.js';
import { startReading } from './wasm_module.js';

function begin({ load }: WasmChunk): Loading {
  const loading = load();
  loading.catch(() => {});
  return loading;
}

/**
 * Compiles a variant of which the package has the difference. `given` is the wasm that the program
 * passed in place of `relaxed`, `layers` those that it must have.
 */
export async function compileDifference(
  script: WasmChunk,
  chunks: WasmChunks,
  given: WasmSource | undefined,
  { layers, signal }: { layers: string | undefined; signal: AbortSignal | undefined },
): Promise<Compiled> {
  const { relaxed } = chunks;
  // Begins all transfers before the import below, so that a page waits for them at once.
  const parts: Parts = {
    script: bytesBeside(script.difference as string) ?? begin(script),
    base:
      given === undefined
        ? (bytesBeside(relaxed.file as string) ?? begin(relaxed))
        : startReading(given),
  };
  const { compilePatched } = await import('./wasm_patch.js');
  return compilePatched(parts, { script, chunks }, { layers, signal });
}
