// SPDX-License-Identifier: MIT
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
import { allChunks } from '../engine/all_chunks.gen.js';
import { checkedTime, Connection } from './connection.js';
import { onlyBy } from './failures.js';
import {
  checkWorkers,
  MissingScript,
  type NodeWorker,
  openPort,
  type ScriptAddress,
  startFrom,
  type WorkerFactory,
} from './port.js';
import { loadRemote, type RemoteModel } from './remote_model.js';
import { loadToWire } from './wire_source.js';

/** The options of `ready`, and the worker itself where it is not the package's own. */
export interface WorkerOptions extends ReadyOptions {
  /**
   * Makes the worker: a `Worker` of the page or of node:worker_threads whose script calls {@link serve}. For layers of your own, and where
   * the package's script cannot be fetched. Called again for each worker of a pool, and to replace one.
   */
  worker?: WorkerFactory;
  /**
   * Where the package's `worker_main.js` (with `train` its `worker_train.js`) can be fetched, for a page that serves it at an address of its own. By default the file beside the
   * package's others, and where that is not to be found a script that comes with the package, which needs the policy `worker-src blob:`.
   * Where a page requires Trusted Types it is a TrustedScriptURL.
   */
  workerUrl?: ScriptAddress;
  /** Ends the start, and the workers that have started: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /**
   * Milliseconds that a call may take, waiting for earlier ones included: then the worker is ended, and the call fails with a
   * TimeLimitError. What runs in this thread cannot be stopped so; files that are not trusted belong here. Each call may
   * have a limit of its own. Default: none.
   */
  timeLimit?: number;
}

/** Of `openWorker`. */
export interface OneWorkerOptions extends WorkerOptions {
  /**
   * A worker that trains, too: `compile` and `fit` of its models. Its script, `worker_train.js`, and its wasm are other ones, which nobody else
   * fetches. A worker of your own trains where `serve` is given what `maskflow/train` exports.
   */
  train?: boolean;
}

/** Names of the options. @internal */
export const workerOptions = { ...readyOptions, worker: 1, workerUrl: 1, timeLimit: 1 } as const;

/** Options of `loadModel`, and how long it may take. */
export interface WorkerLoadOptions extends LoadOptions {
  /** Milliseconds, fetching included, until the worker is ended; see {@link WorkerOptions.timeLimit}. */
  timeLimit?: number;
}

/** A worker that is ready to load models. */
export class ModelWorker {
  readonly #connection: Connection;
  /** What runs in the worker. */
  readonly runtimeInfo: RuntimeInfo;

  /** @internal */
  constructor(connection: Connection, info: RuntimeInfo) {
    onlyBy('openWorker()', connection instanceof Connection);
    this.#connection = connection;
    this.runtimeInfo = info;
  }

  /**
   * Loads a model in the worker, as `loadModel` of `maskflow` does: fetching, unpacking and building happen there. Its
   * options hold but for classes and functions, which need a worker of your own ({@link serve}).
   */
  async loadModel(source: ModelSource, options: WorkerLoadOptions = {}): Promise<RemoteModel> {
    checkSignal(optionsOf(options).signal);
    return loadRemote(this.#connection, await loadToWire(source, options), options);
  }

  /** What is alive in the worker's wasm memory. */
  memory(): Promise<{ tensors: number; bytes: number; heapBytes: number }> {
    return this.#connection.request('memory', 0, null);
  }

  /** Ends the worker at once, with all its models; calls that still run fail with a StateError. */
  close(): void {
    this.#connection.close();
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

/** What each worker is told: the wasm compiled once for all, unless their script brings one. @internal */
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
    throw new ValueError('give either worker or workerUrl, not both');
  }
  if (worker === undefined) checkWorkers();
  if (worker && !options.wasm) return settings;
  // The script of a worker of the user's own says which layers there are.
  const wanted = worker ? { chunks: own.chunks } : own;
  const compiling = compiledModule({ ...settings, signal }, wanted);
  const { variant, compiled } = await (signal ? unlessAborted(compiling, signal) : compiling).catch(
    (error: unknown) => {
      const lost = lostFile(error);
      throw lost ? new StateError(lost) : error;
    },
  );
  return { ...settings, variant, wasm: compiled };
}

/** @internal */
export async function connect(
  settings: ReadyOptions,
  { worker, workerUrl, timeLimit, signal }: WorkerOptions,
  own: OwnScript = usual,
): Promise<Connected> {
  const limit = { timeLimit: checkedTime(timeLimit), signal };
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
  // (Only now: where no text may run the file is tried again, which the network may have lost.)
  ownMissing.set(own, missing);
  return connected;
}

/** What may end a worker, or its start. */
interface Limit {
  timeLimit: number | undefined;
  signal: AbortSignal | undefined;
}

interface Connected {
  connection: Connection;
  info: RuntimeInfo;
}

/** The package's own script, and the wasm that it runs on. */
interface OwnScript extends PackageModule {
  /** Undefined: that of port. */
  readonly start: WorkerFactory | undefined;
  startFromText(): Promise<Worker | NodeWorker>;
}

const usual: OwnScript = {
  start: undefined,
  startFromText: async () => (await import('./worker_script.js')).startFromText(),
  layers: 'all',
  chunks: allChunks,
};

/** Known to be missing: workers to come begin with the text. */
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

/** Where that fails, too, the first error is told, whose remedies are for both. */
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
 * Starts a worker with the package inside, so that long loads and predictions do not hold up a page. In browsers it is a
 * module worker from a file of the package, in Node a thread, which does not keep the program running while it is idle.
 *
 * StateError: the worker cannot be started. UnsupportedError: no workers here, or not the variant asked for.
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
    // The script of another entry refuses the wasm of the one that trains.
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
    ? "it has to give serve() what 'maskflow/train' exports"
    : "with { train: true } workerUrl is the address of the package's worker_train.js";
  const reason = cause ? ` (${cause.message})` : '';
  return new StateError(`the script of this worker does not train: ${remedy}${reason}`);
}
