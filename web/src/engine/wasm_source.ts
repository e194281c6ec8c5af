// SPDX-License-Identifier: MIT
// Reads wasm from a server, which may send anything, and explains why a module is refused. It is a
// chunk of its own: only pages that pass an address or a response fetch it, and pages where
// starting fails.
import { show } from '../base/check.js';
import { FormatError, MaskflowError, StateError, UnsupportedError } from '../base/errors.js';
import { version } from '../base/version.gen.js';
import {
  type Compiled,
  compileBytes,
  isAddress,
  isResponse,
  type Reading,
  type WasmSource,
} from './wasm_input.js';
import { type Mark, markOf, type WantedModule } from './wasm_mark.js';

/** Limit of bytes from the network: ninety times the size of the package's largest module. */
const kMax = 2 ** 26;

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Size of the body as the server states it; null for a compressed body, whose size is another. */
function sizeOf({ headers }: Response): number | null {
  const length = headers.get('content-encoding') ? null : headers.get('content-length');
  return length === null ? null : Number(length);
}

/** A response, and the controller that ends its transfer. */
class Transfer {
  readonly #response: Response;
  readonly #name: string;
  readonly #control: AbortController;
  #excess: FormatError | undefined;

  constructor(response: Response, name: string, control: AbortController) {
    this.#response = response;
    this.#name = name;
    this.#control = control;
  }

  /** Checks the status and the stated size, which it returns. */
  #begin(): number | null {
    const { ok, status, statusText } = this.#response;
    if (!ok) {
      throw new StateError(
        `fetching ${this.#name} was answered with ${status} ${statusText}`.trimEnd(),
      );
    }
    const size = sizeOf(this.#response);
    this.#check(size ?? 0);
    return size;
  }

  async bytes(): Promise<ArrayBuffer> {
    this.#begin();
    // The body is null for a response without content.
    const body = this.#response.body as Body | null;
    return new Response(body && this.#limited(body)).arrayBuffer();
  }

  async compile(isFetched: boolean): Promise<Compiled> {
    const { headers, url } = this.#response;
    const size = this.#begin();
    const body = this.#response.body as Body | null;
    const isWasm = headers.get('content-type') === 'application/wasm';
    if (!body || !isWasm || !WebAssembly.compileStreaming) {
      return compileBytes(await this.bytes(), explain);
    }
    // Engines cache compiled code only of responses of the network. A body of a stated size ends
    // there; for others a copy is counted, or the body itself.
    if (size === null && isFetched) this.#watch();
    const isUnchanged = isFetched || (size !== null && url !== '');
    const source = isUnchanged ? this.#response : new Response(this.#limited(body), { headers });
    const compiled = await WebAssembly.compileStreaming(source);
    return { compiled, wasmBytes: markOf(compiled)?.size ?? 0 };
  }

  /** Ends the transfer. Returns an error with the reason why compiling failed. */
  failure(error: unknown): unknown {
    this.#control.abort();
    if (this.#response.body?.locked === false) this.#response.body.cancel().catch(() => {});
    const isCode = (error as Error).name === 'CompileError';
    return (
      this.#excess ?? explained(error, isCode ? 'what was given or fetched as wasm is' : undefined)
    );
  }

  #check(size: number): void {
    if (size <= kMax) return;
    this.#excess = new FormatError(
      `${this.#name} has more than the ${kMax} bytes that wasm may have; give a wasm of the package`,
    );
    this.#control.abort(this.#excess);
    throw this.#excess;
  }

  /** The body, as a stream that ends with an error after too many bytes. */
  #limited(body: Body): Body {
    // Firefox 100 and 101 lack it.
    if (!body.pipeThrough) return body;
    let size = 0;
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (piece, controller) => {
        size += piece.length;
        this.#check(size);
        controller.enqueue(piece);
      },
    });
    return body.pipeThrough(count, { signal: this.#control.signal });
  }

  /** Counts the bytes of a copy of the response. */
  #watch(): void {
    const copy = this.#limited(this.#response.clone().body as Body);
    copy.pipeTo(new WritableStream()).catch(() => {});
  }
}

const nameOf = (wasm: WasmSource): string =>
  isAddress(wasm) ? show(String(wasm)) : 'the response';

/** Awaits wasm that is being read, and uses it as bytes or as the transfer of a response. */
export async function transferred<T>(
  { source, wasm, control }: Reading,
  ofBytes: (bytes: BufferSource) => Promise<T>,
  ofTransfer: (transfer: Transfer) => Promise<T>,
): Promise<T> {
  const found = await source;
  if (!isResponse(found)) return ofBytes(found as BufferSource);
  const transfer = new Transfer(found, nameOf(wasm), control);
  try {
    return await ofTransfer(transfer);
  } catch (error) {
    throw transfer.failure(error);
  }
}

/** Ends the transfer with the caller's signal, and explains what went wrong. */
export async function guarded<T>(
  { wasm, control }: Reading,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  const stop = (): void => control.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  try {
    return await read();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof MaskflowError) throw error;
    const { message, cause } = error as Error & { cause?: Error };
    throw new StateError(
      `the wasm cannot be read from ${nameOf(wasm)} (${cause?.message || message}); check the address, then call again`,
    );
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * Compiles wasm that is read from an address or a response. Throws FormatError if it is too large
 * or not WebAssembly, and StateError if it cannot be read.
 */
export const compileRead = (reading: Reading, signal: AbortSignal | undefined): Promise<Compiled> =>
  guarded(reading, signal, () =>
    transferred(
      reading,
      (bytes) => compileBytes(bytes, explain),
      (transfer) => transfer.compile(isAddress(reading.wasm)),
    ),
  );

/**
 * An error for an engine that has WebAssembly but does not compile it here; null for other reasons.
 */
function refusal(message: string): UnsupportedError | null {
  if (/embedder/i.test(message)) {
    return new UnsupportedError(
      `this runtime compiles no WebAssembly while a program runs (${message}); import it as a module: import wasm from 'maskflow/maskflow-simd.wasm', then await ready({ wasm })`,
    );
  }
  if (/unsafe-eval|content.security|\bCSP\b/i.test(message)) {
    return new UnsupportedError(
      `the Content-Security-Policy of this page forbids WebAssembly (${message}); add 'wasm-unsafe-eval' to its script-src (of an extension: content_security_policy.extension_pages in the manifest)`,
    );
  }
  return null;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Adds a remedy to an error of compiling. `subject` begins the message for input that is not wasm.
 */
export function explained(error: unknown, subject?: string): unknown {
  if (error instanceof MaskflowError) return error;
  const message = messageOf(error);
  if (error instanceof RangeError) {
    return new StateError(
      `the engine has no memory for the wasm (${message}); free some, then call again`,
    );
  }
  const refused = refusal(message);
  if (refused || !subject) return refused ?? error;
  return new FormatError(
    `${subject} not WebAssembly (${message}); give maskflow-simd.wasm or maskflow-relaxed.wasm of this version`,
  );
}

async function explain(error: unknown, subject: string): Promise<never> {
  throw explained(error, subject);
}

/** An error of instantiating: the exports or imports of the module do not match the glue. */
export function foreign(error: unknown): unknown {
  // WebKit compiles under any policy, and refuses here.
  if (!(error instanceof TypeError || error instanceof WebAssembly.LinkError)) {
    return explained(error);
  }
  return new FormatError(
    `the wasm is not that of maskflow ${version} (${error.message}); give maskflow-simd.wasm or maskflow-relaxed.wasm of this version`,
  );
}

const fileOf = (layers: string, variant: string): string =>
  `maskflow-${layers === 'all' ? '' : `${layers}-`}${variant}.wasm`;

/** The error for a module with another mark than the wanted one. */
export function wrongModule(mark: Mark | null, wanted: WantedModule): FormatError {
  const { variant = mark?.variant ?? 'simd', layers = mark?.layers ?? 'all' } = wanted;
  const found = mark
    ? `${fileOf(mark.layers, mark.variant)} of maskflow ${mark.version}`
    : 'without the mark of a build of maskflow';
  // The package has no files of other variants: they are computed from that of `relaxed`.
  const isFile = variant === 'relaxed' || (variant === 'simd' && layers === 'all');
  const needed = isFile
    ? `${fileOf(layers, variant)} of maskflow ${version}`
    : `${fileOf(layers, 'relaxed')} of maskflow ${version}, passed as { relaxed }`;
  return new FormatError(
    `the wasm is ${found} but must be ${needed}; take all files of the package from one release`,
  );
}
