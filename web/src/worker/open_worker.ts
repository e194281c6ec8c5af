// SPDX-License-Identifier: MIT
// `openWorker` of maskflow/worker; a pool and the option `workers` open theirs through it, too.
import { Identity } from '../base/identity.js';
import { checkFunction, checkSignal, optionsOf, checkOptions } from '../base/check.js';
import { FormatError, StateError, ValueError } from '../base/errors.js';
import type { ModelSource } from '../base/model_source.js';
import { lostFile } from '../base/import_failure.js';
import type { LoadOptions } from '../model/load_options.js';
import { unlessAborted } from '../base/abort.js';
import {
  compiledModule,
  type PackageModule,
  type ReadyOptions,
  readyOptions,
  type RuntimeInfo,
} from '../engine/runtime.js';
import type { NodeWorker } from '../engine/node_threads.js';
import { allChunks } from '../engine/all_chunks.gen.js';
import { checkTime, Connection } from './connection.js';
import { onlyBy } from './failures.js';
import {
  checkWorkers,
  MissingScript,
  openPort,
  type ScriptAddress,
  startFrom,
  type WorkerFactory,
} from './port.js';
import { loadRemote, type RemoteModel } from './remote_model.js';
import { loadToWire } from './wire_source.js';

/** Options of `ready`, and of the worker. */
export interface WorkerOptions extends ReadyOptions {
  /**
   * Creates the worker: a `Worker` of the page or of node:worker_threads whose script calls {@link
   * serve}. Use it for custom layers, and if the package's script cannot be fetched. It is called
   * for each worker of a pool, and again to replace one.
   */
  worker?: WorkerFactory;
  /**
   * Address of the package's `worker_main.js` (with `train`, of `worker_train.js`). Default: the
   * file beside the package's other files; if it is missing, a script inside the package, which
   * needs the policy `worker-src blob:`. On pages that require Trusted Types it is a
   * TrustedScriptURL.
   */
  workerUrl?: ScriptAddress;
  /**
   * Cancels the start and ends the workers started so far; the promise rejects with the signal's
   * reason.
   */
  signal?: AbortSignal;
  /**
   * Milliseconds that a call may take, including its wait for earlier calls. A call that takes
   * longer fails with a TimeLimitError, and its worker is ended. Use it to load untrusted files,
   * because code in this thread cannot be stopped. Each call may set its own limit. Default: no
   * limit.
   */
  timeLimit?: number;
}

/** Options of `openWorker`. */
export interface OneWorkerOptions extends WorkerOptions {
  /**
   * Whether the worker can also train; its models then have `compile` and `fit`. It runs another
   * script, `worker_train.js`, with another wasm. A worker with your own script can train if the
   * script passes the exports of `maskflow/train` to `serve`.
   */
  train?: boolean;
}

/** Names of the options. @internal */
export const workerOptions = { ...readyOptions, worker: 1, workerUrl: 1, timeLimit: 1 } as const;

/** Options of `loadModel`, and its time limit. */
export interface WorkerLoadOptions extends LoadOptions {
  /**
   * Milliseconds until the worker is ended, fetching included; see {@link WorkerOptions.timeLimit}.
   */
  timeLimit?: number;
}

/** A worker that is ready to load models. */
export class ModelWorker extends Identity {
  readonly #connection: Connection;
  /** The module that runs in the worker, and its settings. */
  readonly runtimeInfo: RuntimeInfo;

  /** @internal */
  constructor(connection: Connection, info: RuntimeInfo) {
    super();
    onlyBy('openWorker()', connection instanceof Connection);
    this.#connection = connection;
    this.runtimeInfo = info;
  }

  /**
   * Loads a model in the worker, like `loadModel` of `maskflow`. The worker fetches, unpacks and
   * builds it. Throws ValueError for `customObjects`, which cannot be sent: register custom layers
   * in a script of your own that calls {@link serve}.
   */
  async loadModel(source: ModelSource, options: WorkerLoadOptions = {}): Promise<RemoteModel> {
    checkSignal(optionsOf(options).signal);
    return loadRemote(this.#connection, await loadToWire(source, options), options);
  }

  /** Counts the live tensors in the worker's wasm memory, and its bytes; see `memory`. */
  memory(): Promise<{ tensors: number; bytes: number; heapBytes: number }> {
    return this.#connection.request('memory', 0, null);
  }

  /** Ends the worker at once, with all its models. Calls that still run fail with a StateError. */
  close(): void {
    this.#connection.close();
  }
  /** Calls `close()`; for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}

/** Options for the `ready` of each worker, with wasm that is compiled once for all. @internal */
export async function startOptions(
  options: WorkerOptions,
  own: PackageModule = usual,
): Promise<ReadyOptions> {
  const {
    worker,
    workerUrl,
    timeLimit: _,
    signal,
    ...settings
  } = checkOptions(options, workerOptions);
  checkSignal(signal);
  if (worker !== undefined) checkFunction(worker, 'worker');
  if (worker !== undefined && workerUrl !== undefined) {
    throw new ValueError('worker and workerUrl are both set; set one of them');
  }
  if (worker === undefined) checkWorkers();
  if (worker && !options.wasm) return settings;
  // The script of a user's worker determines the module.
  const wanted = worker ? { chunks: own.chunks } : own;
  const compiling = compiledModule({ ...settings, signal }, wanted);
  const { variant, compiled, threads } = await unlessAborted(compiling, signal).catch(
    (error: unknown) => {
      const lost = lostFile(error);
      throw lost ? new StateError(lost) : error;
    },
  );
  // The environment of a worker may not have the variable.
  return { ...settings, ...(threads && { threads: threads.asked }), variant, wasm: compiled };
}

/** @internal */
export async function connect(
  settings: ReadyOptions,
  { worker, workerUrl, timeLimit, signal }: WorkerOptions,
  own: OwnScript = usual,
): Promise<Connected> {
  const limit = { timeLimit: checkTime(timeLimit), signal };
  const factory = worker ?? (workerUrl === undefined ? undefined : () => startFrom(workerUrl));
  if (factory) return connectTo(factory, settings, limit);
  let missing = ownMissing.get(own);
  if (!missing) {
    try {
      return await connectTo(own.start, settings, limit, true);
    } catch (error) {
      if (!(error instanceof MissingScript)) throw error;
      missing = error;
    }
  }
  const connected = await connectToText(own, settings, limit, missing);
  // Set only now: if the text may not run, the next call tries the file again.
  ownMissing.set(own, missing);
  return connected;
}

/** Conditions that end a worker, or its start. */
interface Limit {
  timeLimit: number | undefined;
  signal: AbortSignal | undefined;
}

interface Connected {
  connection: Connection;
  info: RuntimeInfo;
}

/** A script of the package, and the module that it runs. */
interface OwnScript extends PackageModule {
  /** Undefined: `startWorker` of port.ts. */
  readonly start: WorkerFactory | undefined;
  startFromText(): Promise<Worker | NodeWorker>;
}

const usual: OwnScript = {
  start: undefined,
  startFromText: async () => (await import('./worker_script.js')).startFromText(),
  layers: 'all',
  chunks: allChunks,
};

/** Scripts whose file is missing. Later workers start from their text. */
const ownMissing = new Map<OwnScript, MissingScript>();

async function connectTo(
  factory: WorkerFactory | undefined,
  settings: ReadyOptions,
  limit: Limit,
  own = false,
): Promise<Connected> {
  checkSignal(limit.signal);
  const connection = new Connection(openPort(factory, own), limit.timeLimit);
  try {
    const { signal } = limit;
    return { connection, info: await connection.request('start', 0, settings, { signal }) };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Starts a script from its text. If that fails too, throws the first error, whose remedy covers
 * both.
 */
async function connectToText(
  own: OwnScript,
  settings: ReadyOptions,
  limit: Limit,
  missing: MissingScript,
): Promise<Connected> {
  const worker = await own.startFromText().catch(() => {
    throw missing;
  });
  return connectTo(() => worker, settings, limit);
}

/**
 * Starts a worker with the package inside, so that long loads and predictions do not block a page.
 * In browsers it is a module worker from a file of the package. In Node it is a thread, which does
 * not keep the program running while it is idle.
 *
 * Throws StateError if the worker cannot be started, and UnsupportedError if workers or the chosen
 * variant are not available.
 *
 * @example
 * const worker = await openWorker();
 * const model = await worker.loadModel('model.keras');
 * (await model.predict(ids)).array();
 */
export async function openWorker(options: OneWorkerOptions = {}): Promise<ModelWorker> {
  const { train, ...others } = checkOptions(options, { ...workerOptions, train: 1 });
  const own: OwnScript = train ? await import('./trainer.js') : usual;
  const settings = await startOptions(others, own);
  const { connection, info } = await connect(settings, others, own).catch((error: unknown) => {
    // The script of another entry refuses the wasm that trains.
    throw train && error instanceof FormatError ? withoutTraining(others, error) : error;
  });
  if (train && info.layers !== 'train') {
    connection.close();
    throw withoutTraining(others);
  }
  return new ModelWorker(connection, info);
}

function withoutTraining({ worker }: WorkerOptions, cause?: Error): StateError {
  const remedy = worker
    ? "pass the exports of 'maskflow/train' to serve()"
    : "with { train: true }, set workerUrl to the address of the package's worker_train.js";
  const reason = cause ? ` (${cause.message})` : '';
  return new StateError(`the script of this worker cannot train: ${remedy}${reason}`);
}
