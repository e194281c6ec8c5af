// SPDX-License-Identifier: MIT
import { FormatError, StateError, UnsupportedError } from '../base/errors.js';
import { version } from '../base/version.js';
import { bytesBeside, fileBytes } from './wasm_file.js';

/** The wasm, when it does not come with the package: an address, a response, bytes or a module. */
export type WasmSource = URL | string | Response | BufferSource | WebAssembly.Module;

/** `wasmBytes`: its size in bytes; 0 where it was given as a module. */
export interface Compiled {
  compiled: WebAssembly.Module;
  wasmBytes: number;
}

/** Character by character is slow before an engine has compiled this; those since 2025 can do better. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const engine = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  if (engine.fromBase64) return engine.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

function unpacked(packed: Uint8Array<ArrayBuffer>): Response {
  // Not by way of a Blob: its bytes come back from another process.
  const stream = new Response(packed).body as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Response(stream.pipeThrough(new DecompressionStream('gzip')), {
    headers: { 'content-type': 'application/wasm' },
  });
}

/** Compiles what a chunk holds: gzip in base64, because base64 of plain wasm hardly compresses on its way. */
export async function compileChunk(text: string): Promise<Compiled> {
  const packed = fromBase64(text);
  // Older engines, and the sandboxes of some test runners.
  if (typeof DecompressionStream === 'undefined' || typeof Response === 'undefined') {
    const { gunzipSync } = await import('./gunzip.js');
    return compileBytes(gunzipSync(packed));
  }
  // gzip ends with the length of what it holds.
  const [wasmBytes] = new Uint32Array(packed.slice(-4).buffer) as unknown as [number];
  try {
    // The engine checks the first functions while the last ones are being unpacked.
    return { compiled: await WebAssembly.compileStreaming(unpacked(packed)), wasmBytes };
  } catch {
    // Engines without it, and such as want a response from the network.
    return compileBytes(await unpacked(packed).arrayBuffer());
  }
}

/**
 * Compiles a file of the package, where there are files: in a tenth of the time that a chunk takes, and at once, for not every runtime
 * waits for a module that it is still compiling.
 */
export function compileFile(name: string): Compiled | null {
  const bytes = name ? bytesBeside(name) : null;
  if (!bytes) return null;
  try {
    const compiled = new WebAssembly.Module(bytes);
    // A bundle may lie beside the file of another version.
    return markOf(compiled)?.version === version ? { compiled, wasmBytes: bytes.length } : null;
  } catch (error) {
    throw refusal(error) ?? error;
  }
}

async function compileBytes(bytes: BufferSource): Promise<Compiled> {
  try {
    return { compiled: await WebAssembly.compile(bytes), wasmBytes: bytes.byteLength };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw (
      refusal(error) ??
      new FormatError(
        `the ${bytes.byteLength} bytes given as wasm are no WebAssembly (${what}); give maskflow-simd.wasm or maskflow-relaxed.wasm of this version`,
      )
    );
  }
}

/** What an engine says that has WebAssembly, but compiles none here. */
export function refusal(error: unknown): UnsupportedError | null {
  const what = error instanceof Error ? error.message : String(error);
  if (/embedder/i.test(what)) {
    return new UnsupportedError(
      `this runtime compiles no WebAssembly while a program runs (${what}); import it as a module: import wasm from 'maskflow/maskflow-simd.wasm', then await ready({ wasm })`,
    );
  }
  if (/unsafe-eval|content.security|\bCSP\b/i.test(what)) {
    return new UnsupportedError(
      `the Content-Security-Policy of this page forbids WebAssembly (${what}); add 'wasm-unsafe-eval' to its script-src`,
    );
  }
  return null;
}

/** What the build writes into each module: the package's version, the variant and the module's size in bytes. */
export function markOf(
  module: WebAssembly.Module,
): { version: string; variant: string; size: number } | null {
  const [mark] = WebAssembly.Module.customSections(module, 'maskflow');
  if (!mark) return null;
  const [version = '', variant = '', size] = String.fromCharCode(...new Uint8Array(mark)).split(
    ' ',
  );
  return { version, variant, size: Number(size) };
}

/** Of objects of another realm, too: sandboxes have a WebAssembly and a URL of their own. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
const isAddress = (wasm: unknown): wasm is URL | string => /^(String|URL)$/.test(tagOf(wasm));
const isModule = (wasm: unknown): wasm is WebAssembly.Module =>
  tagOf(wasm) === 'WebAssembly.Module';
const isResponse = (wasm: unknown): wasm is Response => tagOf(wasm) === 'Response';
const isBytes = (wasm: unknown): wasm is BufferSource =>
  ArrayBuffer.isView(wasm) || tagOf(wasm) === 'ArrayBuffer';

/** Is it one wasm? What it holds shows when it is compiled. */
export const isWasmSource = (wasm: unknown): wasm is WasmSource =>
  [isAddress, isModule, isResponse, isBytes].some((is) => is(wasm));

/** Compiles what a user gives. FormatError where it is no WebAssembly, StateError where it cannot be fetched. */
export async function compileSource(wasm: WasmSource): Promise<Compiled> {
  if (isModule(wasm)) return { compiled: wasm, wasmBytes: 0 };
  if (isAddress(wasm)) return compileSource(fileBytes(String(wasm)) ?? (await fetch(wasm)));
  return isResponse(wasm) ? compileResponse(wasm) : compileBytes(wasm);
}

async function compileResponse(response: Response): Promise<Compiled> {
  if (!response.ok)
    throw new StateError(
      `fetching the wasm answered ${response.status} ${response.statusText}`.trimEnd(),
    );
  const isWasm = response.headers.get('content-type') === 'application/wasm';
  if (!isWasm || !WebAssembly.compileStreaming) return compileBytes(await response.arrayBuffer());
  try {
    // While it arrives; and from the network alone, not from bytes, does an engine keep what it compiled for the next visit.
    const compiled = await WebAssembly.compileStreaming(response);
    return { compiled, wasmBytes: markOf(compiled)?.size ?? 0 };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw (
      refusal(error) ??
      new FormatError(
        `what was given or fetched as wasm is no WebAssembly (${what}); give maskflow-simd.wasm or maskflow-relaxed.wasm of this version`,
      )
    );
  }
}
