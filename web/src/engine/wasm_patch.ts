// SPDX-License-Identifier: MIT
// Variants that the package has as their difference from another one; scripts/build/wasm_patch.mjs
// describes the format. It is a chunk of its own, which only programs that run such a variant
// fetch.
import { FormatError, StateError } from '../base/errors.js';
import { nodeModule } from './node_module.js';
import { bytesBeside } from './wasm_file.js';
import {
  type Compiled,
  compileBytes,
  type Loading,
  type Parts,
  type Reading,
  type WasmChunk,
  type WasmChunks,
} from './wasm_input.js';
import { fits, markOf } from './wasm_mark.js';
import { explain, unpackedChunk } from './wasm_module.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** The layers that the wasm of a program must have, and the signal that ends its transfer. */
interface Wanted {
  layers: string | undefined;
  signal: AbortSignal | undefined;
}

/** Limit on the size of a module: twenty times the size of the package's largest. */
const kMax = 2 ** 24;

/** Reads the numbers of a difference, and then its bytes. */
class Reader {
  readonly #bytes: Bytes;
  #at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  number(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & 127) * unit;
      if (!(byte > 127)) return value;
    }
  }

  numbers(count: number): Float64Array {
    if (count > this.#bytes.length) throw new RangeError('more numbers than bytes');
    const numbers = new Float64Array(count);
    for (let i = 0; i < count; i++) numbers[i] = this.number();
    return numbers;
  }

  take(size: number): Bytes {
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }
}

/** FNV-1a of the whole words of 32 bits, then of the bytes that remain. */
function checksum(bytes: Bytes): number {
  let hash = 0x811c9dc5;
  const words = new Int32Array(bytes.buffer, 0, bytes.length >> 2);
  const rest = bytes.subarray(4 * words.length);
  // Loops by index, because most programs run this once, and slowly.
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ (words[i] as number), 16777619);
  for (let i = 0; i < rest.length; i++) hash = Math.imul(hash ^ (rest[i] as number), 16777619);
  return hash >>> 0;
}

type Head = [size: number, sum: number, regions: number, changes: number, literalSize: number];

/** Computes a module from the module that it differs from. Throws RangeError for damaged input. */
function apply(difference: Bytes, base: Bytes): Bytes | null {
  const reader = new Reader(difference);
  const [size, sum, regions, changes, literalSize] = reader.numbers(5) as unknown as Head;
  if (size > kMax) throw new RangeError('too large');
  const literals = reader.numbers(regions);
  const sizes = reader.numbers(regions);
  const moves = reader.numbers(regions);
  const distances = reader.numbers(changes);
  const literal = new Reader(reader.take(literalSize));
  const result = new Uint8Array(size);
  let [at, from] = [0, 0];
  for (let i = 0; i < regions; i++) {
    const move = moves[i] as number;
    result.set(literal.take(literals[i] as number), at);
    at += literals[i] as number;
    from += move % 2 ? -(move + 1) / 2 : move / 2;
    const end = from + (sizes[i] as number);
    // Ends before the region if the base is a shorter file.
    result.set(base.subarray(from, end), at);
    at += end - from;
    from = end;
  }
  at = 0;
  const differences = reader.take(changes);
  for (let i = 0; i < changes; i++) {
    at += distances[i] as number;
    result[at] = (result[at] as number) + (differences[i] as number);
  }
  return checksum(result) === sum ? result : null;
}

/**
 * Computes a module from the module that it differs from; null if one of them is damaged or of
 * another version.
 */
export function patched(difference: Bytes, base: Bytes): Bytes | null {
  try {
    return apply(difference, base);
  } catch {
    return null;
  }
}

// A file has a class of another realm in sandboxes.
const isBytes = (part: object): part is Bytes => ArrayBuffer.isView(part);

const damaged = (): StateError =>
  new StateError(
    'the scripts with the wasm of maskflow are damaged or come from different releases; install the package again, and build the page again',
  );

interface BufferModule {
  Buffer: {
    from(data: Bytes | string, encoding?: string): Bytes & { toString(encoding: string): string };
  };
}
interface Zlib {
  gunzipSync(packed: Bytes): Bytes;
}

/**
 * Unpacks a script that was read as a file, by modules of Node: its first DecompressionStream takes
 * 70 ms, and sandboxes of test runners lack decoders.
 */
function unpackedFile(script: Bytes): Bytes {
  const { Buffer } = nodeModule<BufferModule>('node:buffer') as BufferModule;
  const text = /"([^"]*)"/.exec(Buffer.from(script).toString('latin1'))?.[1] ?? '';
  return (nodeModule<Zlib>('node:zlib') as Zlib).gunzipSync(Buffer.from(text, 'base64'));
}

/** Unpacks a difference. Throws StateError if it is damaged. */
async function unpacked(script: Bytes | Loading): Promise<Bytes> {
  const text = isBytes(script) ? '' : (await script).default;
  try {
    return isBytes(script) ? unpackedFile(script) : await unpackedChunk(text);
  } catch {
    throw damaged();
  }
}

/** Throws FormatError for wasm of the program that is not `relaxed` of this version. */
async function refuse(bytes: Bytes, layers: string | undefined): Promise<never> {
  const { compiled } = await compileBytes(bytes, explain);
  const wanted = { variant: 'relaxed', layers } as const;
  const mark = markOf(compiled);
  if (fits(mark, wanted)) {
    throw new FormatError('the wasm that was passed as relaxed is damaged; copy the file again');
  }
  throw (await import('./wasm_source.js')).wrongModule(mark, wanted);
}

function copyOf(bytes: BufferSource): Bytes {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  return new Uint8Array(view);
}

/** Computes a module by one difference after the other. */
const patchedBy = (differences: Bytes[], base: Bytes): Bytes | null =>
  differences.reduce<Bytes | null>((wasm, next) => wasm && patched(next, wasm), base);

/** Computes a variant from the wasm that the program passed. */
async function fromProgram(differences: Bytes[], reading: Reading, wanted: Wanted): Promise<Bytes> {
  const { guarded, transferred } = await import('./wasm_source.js');
  const base = await guarded(reading, wanted.signal, () =>
    transferred(
      reading,
      async (bytes) => copyOf(bytes),
      async (transfer) => new Uint8Array(await transfer.bytes()),
    ),
  );
  return patchedBy(differences, base) ?? refuse(base, wanted.layers);
}

/** Computes a variant from files; null if they are damaged or of another version. */
function fromFiles(scripts: Bytes[], base: Bytes): Bytes | null {
  try {
    return patchedBy(scripts.map(unpackedFile), base);
  } catch {
    return null;
  }
}

/** Computes a variant from scripts. Throws StateError if they are damaged or of two versions. */
async function fromScripts(scripts: Loading[], base: Loading): Promise<Bytes> {
  const texts = await Promise.all([base, ...scripts]);
  const wasm = await Promise.all(texts.map((text) => unpackedChunk(text.default))).then(
    ([relaxed, ...differences]) => patchedBy(differences, relaxed as Bytes),
    () => null,
  );
  if (wasm) return wasm;
  throw damaged();
}

/** Reads a script as a file, or fetches it. */
function beginScript({ difference = '', load }: WasmChunk): Parts['script'] {
  const file = bytesBeside(difference);
  if (file) return file;
  const loading = load();
  loading.catch(() => {});
  return loading;
}

/**
 * Compiles a variant from its parts. `chunks` replace files that are not of this version: a bundle
 * may be beside those of another one.
 */
export async function compilePatched(
  { script, base }: Parts,
  { script: chunk, chunks }: { script: WasmChunk; chunks: WasmChunks },
  wanted: Wanted,
): Promise<Compiled> {
  // The difference of `simd_threads` is that from `threads`, and not from `relaxed`.
  const first = chunk === chunks.simd_threads ? [chunks.threads] : [];
  const scripts = [...first.map(beginScript), script];
  if ('control' in base) {
    const differences = await Promise.all(scripts.map(unpacked));
    return compileBytes(await fromProgram(differences, base, wanted), explain);
  }
  const wasm = isBytes(base) && scripts.every(isBytes) ? fromFiles(scripts, base) : null;
  // Synchronous, because some runtimes do not wait for a module that is still compiling.
  if (wasm) return { compiled: new WebAssembly.Module(wasm), wasmBytes: wasm.length };
  const loading = [...first, chunk].map((each, i) => {
    const begun = scripts[i] as Parts['script'];
    return isBytes(begun) ? each.load() : begun;
  });
  const loadingBase = isBytes(base) ? chunks.relaxed.load() : base;
  return compileBytes(await fromScripts(loading, loadingBase), explain);
}
