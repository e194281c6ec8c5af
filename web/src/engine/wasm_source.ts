// SPDX-License-Identifier: MIT
// Reads wasm from a server, which may send anything, and says why a module is refused. A file of its own: only
// pages that give an address or a response fetch it, and those where something fails.
import { show } from '../base/check.js';
import { FormatError, MaskflowError, StateError, UnsupportedError } from '../base/errors.js';
import { version } from '../base/version.js';
import { type Compiled, compileBytes, isAddress, type WasmSource } from './wasm_input.js';
import { type Mark, markOf, type WantedModule } from './wasm_mark.js';

/** Most bytes that are read: ninety times the size of the largest module of the package. */
const kMost = 2 ** 26;

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Size of the body if the server says it; null if it packs the body, whose size is then another. */
function sizeOf({ headers }: Response): number | null {
  const length = headers.get('content-encoding') ? null : headers.get('content-length');
  return length === null ? null : Number(length);
}

/** One response, with what ends its transfer. */
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

  async compile(isFetched: boolean): Promise<Compiled> {
    const { ok, status, statusText, headers, url } = this.#response;
    if (!ok) {
      throw new StateError(
        `fetching ${this.#name} was answered with ${status} ${statusText}`.trimEnd(),
      );
    }
    const size = sizeOf(this.#response);
    this.#check(size ?? 0);
    // Null for a response without content.
    const body = this.#response.body as Body | null;
    const isWasm = headers.get('content-type') === 'application/wasm';
    if (!body || !isWasm || !WebAssembly.compileStreaming) {
      return compileBytes(await new Response(body && this.#limited(body)).arrayBuffer(), explain);
    }
    // From responses of the network alone does an engine keep what it compiled for the next visit. The network
    // keeps to the size that it says; otherwise a copy is counted, or the body itself.
    if (size === null && isFetched) this.#watch();
    const isAsItCame = isFetched || (size !== null && url !== '');
    const source = isAsItCame ? this.#response : new Response(this.#limited(body), { headers });
    const compiled = await WebAssembly.compileStreaming(source);
    return { compiled, wasmBytes: markOf(compiled)?.size ?? 0 };
  }

  /** Ends the transfer; returns the error that tells why compiling failed. */
  failure(error: unknown): unknown {
    this.#control.abort();
    if (this.#response.body?.locked === false) this.#response.body.cancel().catch(() => {});
    const isCode = (error as Error).name === 'CompileError';
    return (
      this.#excess ?? explained(error, isCode ? 'what was given or fetched as wasm is' : undefined)
    );
  }

  #check(size: number): void {
    if (size <= kMost) return;
    this.#excess = new FormatError(
      `${this.#name} has more than the ${kMost} bytes that wasm may have; give a wasm of the package`,
    );
    this.#control.abort(this.#excess);
    throw this.#excess;
  }

  /** The body, which ends with an error after too many bytes. */
  #limited(body: Body): Body {
    // Firefox 100 and 101.
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

  /** Counts a copy of what the engine reads. */
  #watch(): void {
    const copy = this.#limited(this.#response.clone().body as Body);
    copy.pipeTo(new WritableStream()).catch(() => {});
  }
}

async function compileTransfer(
  reading: Promise<WasmSource>,
  name: string,
  control: AbortController,
  isFetched: boolean,
): Promise<Compiled> {
  const source = await reading;
  // The tag, because sandboxes have a Response of their own.
  if (Object.prototype.toString.call(source) !== '[object Response]') {
    return compileBytes(source as BufferSource, explain);
  }
  const transfer = new Transfer(source as Response, name, control);
  try {
    return await transfer.compile(isFetched);
  } catch (error) {
    throw transfer.failure(error);
  }
}

/**
 * Compiles what is read of an address or a response. FormatError if it is too large or not WebAssembly, StateError
 * if it cannot be read. `control` ends the transfer, in fetch, too; the signal is the caller's.
 */
export async function compileRead(
  reading: Promise<WasmSource>,
  wasm: WasmSource,
  control: AbortController,
  signal: AbortSignal | undefined,
): Promise<Compiled> {
  const isFetched = isAddress(wasm);
  const name = isFetched ? show(String(wasm)) : 'the response';
  const stop = (): void => control.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  try {
    return await compileTransfer(reading, name, control, isFetched);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof MaskflowError) throw error;
    const { message, cause } = error as Error & { cause?: Error };
    throw new StateError(
      `the wasm cannot be read from ${name} (${cause?.message || message}); check the address, then call again`,
    );
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Why an engine that has WebAssembly compiles nothing here; null for other errors. */
function refusal(message: string): UnsupportedError | null {
  if (/embedder/i.test(message)) {
    return new UnsupportedError(
      `this runtime compiles no WebAssembly while a program runs (${message}); import it as a module: import wasm from 'maskflow/maskflow-simd.wasm', then await ready({ wasm })`,
    );
  }
  if (/unsafe-eval|content.security|\bCSP\b/i.test(message)) {
    return new UnsupportedError(
      `the Content-Security-Policy of this page forbids WebAssembly (${message}); add 'wasm-unsafe-eval' to its script-src`,
    );
  }
  return null;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** An error of compiling as one that says what to do. `what` begins the message where it is not WebAssembly. */
export function explained(error: unknown, what?: string): unknown {
  if (error instanceof MaskflowError) return error;
  const message = messageOf(error);
  if (error instanceof RangeError) {
    return new StateError(
      `there is no memory for the wasm (${message}); free some, then call again`,
    );
  }
  const refused = refusal(message);
  if (refused || !what) return refused ?? error;
  return new FormatError(
    `${what} no WebAssembly (${message}); give maskflow-simd.wasm or maskflow-relaxed.wasm of this version`,
  );
}

async function explain(error: unknown, subject: string): Promise<never> {
  throw explained(error, subject);
}

/** An error of instantiating: the module lacks what the glue takes from it, or wants what the glue has not. */
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

/** Why a module with this mark is not the wanted one. */
export function wrongModule(mark: Mark | null, wanted: WantedModule): FormatError {
  const { variant = mark?.variant ?? 'simd', layers = mark?.layers ?? 'all' } = wanted;
  const found = mark
    ? `${fileOf(mark.layers, mark.variant)} of maskflow ${mark.version}`
    : 'without the mark of a build of maskflow';
  return new FormatError(
    `the wasm is ${found} but must be ${fileOf(layers, variant)} of maskflow ${version}; take all files of the package from one release`,
  );
}
