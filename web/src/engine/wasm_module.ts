// SPDX-License-Identifier: MIT
// Turns wasm in any form (a script with base64, a file, user input) into a compiled module. Its
// rarer cases are in wasm_source.ts, fetched on demand.
import { isBytes } from '../base/tag.js';
import { bytesBeside, fileBytes } from './wasm_file.js';
import {
  type Compiled,
  compileBytes,
  isAddress,
  isModule,
  type Reading,
  type WasmSource,
} from './wasm_input.js';
import { fits, markOf, type WantedModule } from './wasm_mark.js';

/** Decodes base64. Engines before 2025 lack a fast way. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const engine = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  if (engine.fromBase64) return engine.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

function unpacked(packed: Uint8Array<ArrayBuffer>): Response {
  // Not through a Blob, whose bytes come from another process.
  const stream = new Response(packed).body as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Response(stream.pipeThrough(new DecompressionStream('gzip')), {
    headers: { 'content-type': 'application/wasm' },
  });
}

/** Bytes of the text of a chunk: gzip in base64. */
export async function unpackedChunk(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = fromBase64(text);
  // Missing in older engines and in the sandboxes of some test runners.
  if (typeof DecompressionStream === 'undefined' || typeof Response === 'undefined') {
    return (await import('./gunzip.js')).gunzipSync(packed) as Uint8Array<ArrayBuffer>;
  }
  return new Uint8Array(await unpacked(packed).arrayBuffer());
}

/**
 * Compiles the text of a chunk: gzip in base64, because base64 of plain wasm hardly compresses when
 * a server sends it.
 */
export async function compileChunk(text: string): Promise<Compiled> {
  try {
    const packed = fromBase64(text);
    // The engine compiles the first functions while the last ones are being unpacked.
    const compiled = await WebAssembly.compileStreaming(unpacked(packed));
    // The last four bytes of gzip are the unpacked length.
    const [wasmBytes] = new Uint32Array(packed.slice(-4).buffer) as unknown as [number];
    return { compiled, wasmBytes };
  } catch {
    // Some engines lack it, and others accept only responses of the network.
    return compileBytes(await unpackedChunk(text), explain);
  }
}

/**
 * Compiles a file of the package where files can be read; null if the file is missing or not the
 * wanted one. It takes a tenth of the time of a chunk. It is synchronous because some runtimes do
 * not wait for a module that is still compiling.
 */
export function compileFile(name: string | undefined, wanted: WantedModule): Compiled | null {
  const bytes = name ? bytesBeside(name) : null;
  if (!bytes) return null;
  const compiled = new WebAssembly.Module(bytes);
  // A bundle may be beside the file of another version.
  return fits(markOf(compiled), wanted) ? { compiled, wasmBytes: bytes.length } : null;
}

/**
 * Throws an error of the engine as one that says what to do. `subject` begins the message for input
 * that is not WebAssembly.
 */
export async function explain(error: unknown, subject?: string): Promise<never> {
  throw (await import('./wasm_source.js')).explained(error, subject);
}

async function read(wasm: WasmSource, { signal }: AbortController): Promise<WasmSource> {
  if (!isAddress(wasm)) return wasm;
  return fileBytes(String(wasm)) ?? fetch(wasm, { signal });
}

/** Begins to read wasm. */
export function startReading(wasm: WasmSource): Reading {
  const control = new AbortController();
  const source = read(wasm, control);
  source.catch(() => {});
  return { source, wasm, control };
}

/**
 * Compiles the wasm that a user passes. Throws FormatError if it is not WebAssembly, and StateError
 * if it cannot be read. The signal ends the transfer.
 */
export async function compileSource(
  wasm: WasmSource,
  signal: AbortSignal | undefined,
): Promise<Compiled> {
  if (isModule(wasm)) return { compiled: wasm, wasmBytes: 0 };
  if (isBytes(wasm)) return compileBytes(wasm, explain);
  // Begins before the import below, so that a page waits for both at once.
  const reading = startReading(wasm);
  const { compileRead } = await import('./wasm_source.js');
  return compileRead(reading, signal);
}
