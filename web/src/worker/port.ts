// SPDX-License-Identifier: MIT
// Hides the differences between workers of pages and threads of Node, on both ends.
import { refuse } from '../base/check.js';
import { StateError, UnsupportedError } from '../base/errors.js';
import { type NodeWorker, nodeThreads } from '../engine/node_threads.js';
import { addressBeside } from '../engine/wasm_file.js';
import { CrashError } from './failures.js';

/** A worker as a page or a Node program sees it. */
export interface Port {
  /** Sends a message. The buffers in `transfer` are moved, not copied. */
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /** Calls `lost` once if the worker ends or cannot be started. */
  listen(received: (message: unknown) => void, lost: (error: Error) => void): void;
  /** In Node, a busy worker keeps the process running, an idle one does not. */
  hold(busy: boolean): void;
  /** Ends the worker at once. */
  close(): void;
}

const remedy =
  "give the address of the package's worker_main.js (worker_train.js for one that trains) on the page's own origin, openWorker({ workerUrl }), and allow it (worker-src 'self', or blob: for the script that comes with the package; under Trusted Types by a TrustedScriptURL of your policy), or make the worker yourself: openWorker({ worker: () => new Worker(…) }), with a script that calls serve()";

const compute = 'open the worker in the page, or compute in the';
const scopesWithout: [scope: string, reason: string][] = [
  [
    'SharedWorkerGlobalScope',
    `a shared worker cannot start workers in this engine; ${compute} shared worker itself: loadModel() of 'maskflow'`,
  ],
  [
    'ServiceWorkerGlobalScope',
    `a service worker cannot start workers; ${compute} service worker itself: loadModel() of 'maskflow/single'`,
  ],
];
const none =
  "this engine has no workers (Node has them from 20.16 on); compute without one: loadModel() of 'maskflow'";

/** Throws UnsupportedError if this engine or thread cannot start workers. */
export function checkWorkers(): void {
  if (typeof Worker !== 'undefined') return;
  const reason = scopesWithout.find(([scope]) => scope in globalThis)?.[1];
  const threads = nodeThreads();
  if (threads && !reason) return;
  // workerd is both: a service worker, with a node:worker_threads that starts nothing.
  throw new UnsupportedError(threads ? none : (reason ?? none));
}

/**
 * Starts a script of the package in a thread of Node; returns null on pages. The name is without
 * `.js`, because bundlers for pages would copy a script that a literal names.
 */
export function startThread(name: string): NodeWorker | null {
  const threads = nodeThreads();
  if (!threads) return null;
  const script = addressBeside(`./${name}.js`);
  if (!script) throw new MissingScript(`there is no ${name}.js beside the program`);
  // The program's own flags (--input-type, --import …) are not for this script.
  return new threads.Worker(script, { execArgv: [] });
}

/** Starts the package's own worker. Bundlers recognise only this form of `new Worker`. */
const startWorker = (): Worker | NodeWorker =>
  startThread('worker_main') ??
  new Worker(new URL('./worker_main.js', import.meta.url), { type: 'module' });

/** A string, a URL, or a TrustedScriptURL. */
export type ScriptAddress = string | { toJSON(): string };

/** Starts a worker whose script is at this address. */
export function startFrom(address: ScriptAddress): Worker | NodeWorker {
  const threads = nodeThreads();
  if (!threads) return new Worker(address as URL, { type: 'module' });
  return new threads.Worker(new URL(String(address)), { execArgv: [] });
}

/** Creates a worker of the page or of Node. */
export type WorkerFactory = () => Worker | NodeWorker;

/** The script of the package's own worker is missing. */
export class MissingScript extends StateError {
  static override readonly name = 'StateError';
  constructor(reason: string) {
    super(`the worker's script cannot be loaded (${reason}); ${remedy}`);
  }
}

export function openPort(
  factory: WorkerFactory = startWorker,
  own = factory === startWorker,
): Port {
  let worker: Worker | NodeWorker;
  try {
    worker = factory();
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof MissingScript) throw error;
    const reason = (error as Error).message;
    if (own) throw new MissingScript(reason);
    throw new StateError(
      `the worker cannot be started: ${reason}; give it a script that calls serve(), or use the package's own`,
    );
  }
  if (typeof worker?.postMessage !== 'function')
    refuse('the result of `worker`', 'a Worker', worker);
  return 'on' in worker ? nodePort(worker) : pagePort(worker);
}

const unreadable = (): CrashError => new CrashError('an answer of the worker cannot be read');

function nodePort(worker: NodeWorker): Port {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(received, lost) {
      worker.on('message', received);
      worker.on('messageerror', () => lost(unreadable()));
      worker.on('error', (error) =>
        lost(new CrashError(`the worker crashed: ${(error as Error).message ?? error}`)),
      );
      worker.on('exit', (code) => lost(new CrashError(`the worker ended with code ${code}`)));
    },
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    close: () => void worker.terminate(),
  };
}

function pagePort(worker: Worker): Port {
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen(received, lost) {
      worker.onmessage = ({ data }) => received(data);
      worker.onmessageerror = () => lost(unreadable());
      worker.onerror = (event) => {
        event.preventDefault();
        // The event has no message if the script cannot be fetched.
        lost(
          event.message
            ? new CrashError(`the worker crashed: ${event.message}`)
            : new MissingScript('it was not found, or may not be used here'),
        );
      };
    },
    hold() {},
    close: () => worker.terminate(),
  };
}

/** Returns the port inside a worker. Throws StateError outside of one. */
export function ownEnd(): {
  post: (message: unknown, transfer: ArrayBuffer[]) => void;
  listen: (received: (message: unknown) => void) => void;
} {
  const parent = nodeThreads()?.parentPort;
  if (parent) {
    return {
      post: (message, transfer) => parent.postMessage(message, transfer),
      listen: (received) => parent.on('message', received),
    };
  }
  const scope = globalThis as unknown as DedicatedScope;
  if (typeof scope.postMessage !== 'function' || 'document' in globalThis) {
    throw new StateError(
      'serve() works only in a worker that one page or one thread of Node starts; call it in the script of such a worker',
    );
  }
  return {
    post: (message, transfer) => scope.postMessage(message, transfer),
    listen(received) {
      scope.onmessage = ({ data }) => received(data);
    },
  };
}

interface DedicatedScope {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { data: unknown }) => void) | null;
}
