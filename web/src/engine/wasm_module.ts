// SPDX-License-Identifier: MIT
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
export function compileFile(name: string, wanted: WantedModule): Compiled | null {
  const bytes = name ? bytesBeside(name) : null;
  if (!bytes) return null;
  const compiled = new WebAssembly.Module(bytes);
  // A bundle may lie beside the file of another version.
  return fits(markOf(compiled), wanted) ? { compiled, wasmBytes: bytes.length } : null;
}

/** Compiles bytes. FormatError if they are not WebAssembly. @internal */
export async function compileBytes(bytes: BufferSource): Promise<Compiled> {
  const { byteLength } = bytes;
  const compiled = await WebAssembly.compile(bytes).catch((error) =>
    explain(error, `the ${byteLength} bytes given as wasm are`),
  );
  return { compiled, wasmBytes: byteLength };
}

/** Throws an error of the engine as one that says what to do; `what` begins that of something that is not wasm. */
export async function explain(error: unknown, what?: string): Promise<never> {
  throw (await import('./wasm_source.js')).explained(error, what);
}

/** The section that the build adds to each module; scripts/build/wasm_mark.mjs writes it. `size`: of the module, in bytes. */
export interface Mark {
  version: string;
  variant: 'simd' | 'relaxed';
  size: number;
  layers: string;
}
/** The module that is needed; any variant or any layers where they are undefined. */
export interface WantedModule {
  variant?: Mark['variant'] | undefined;
  layers?: string | undefined;
}

/** Null for a module that is not the package's. */
export function markOf(module: WebAssembly.Module): Mark | null {
  const [section] = WebAssembly.Module.customSections(module, 'maskflow');
  const text = section && String.fromCharCode(...new Uint8Array(section.slice(0, 99)));
  const found = /^([\w.+-]+) (simd|relaxed) (\d+) (all|recurrent|train)$/.exec(text ?? '');
  if (!found) return null;
  const [, version = '', variant, size, layers = ''] = found;
  return { version, variant: variant as Mark['variant'], size: Number(size), layers };
}

/** Whether a module is the wanted one, of this version. */
export function fits(mark: Mark | null, { variant, layers }: WantedModule): mark is Mark {
  if (mark?.version !== version) return false;
  return mark.variant === (variant ?? mark.variant) && mark.layers === (layers ?? mark.layers);
}

/** Of objects of another realm, too: sandboxes have a WebAssembly and a URL of their own. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
export const isAddress = (wasm: unknown): wasm is URL | string =>
  /^(String|URL)$/.test(tagOf(wasm));
const isModule = (wasm: unknown): wasm is WebAssembly.Module =>
  tagOf(wasm) === 'WebAssembly.Module';
const isResponse = (wasm: unknown): wasm is Response => tagOf(wasm) === 'Response';
const isBytes = (wasm: unknown): wasm is BufferSource =>
  ArrayBuffer.isView(wasm) || tagOf(wasm) === 'ArrayBuffer';

/** Is it one wasm? What it holds shows when it is compiled. */
export const isWasmSource = (wasm: unknown): wasm is WasmSource =>
  [isAddress, isModule, isResponse, isBytes].some((is) => is(wasm));

async function read(wasm: WasmSource, { signal }: AbortController): Promise<WasmSource> {
  if (!isAddress(wasm)) return wasm;
  return fileBytes(String(wasm)) ?? fetch(wasm, { signal });
}

/**
 * Compiles what a user gives. FormatError if it is not WebAssembly, StateError if it cannot be read. The signal ends
 * the transfer.
 */
export async function compileSource(
  wasm: WasmSource,
  signal: AbortSignal | undefined,
): Promise<Compiled> {
  if (isModule(wasm)) return { compiled: wasm, wasmBytes: 0 };
  if (isBytes(wasm)) return compileBytes(wasm);
  const control = new AbortController();
  // Before the rest is there: a page waits for both at once.
  const reading = read(wasm, control);
  reading.catch(() => {});
  const { compileRead } = await import('./wasm_source.js');
  return compileRead(reading, wasm, control, signal);
}
