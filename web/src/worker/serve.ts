// SPDX-License-Identifier: MIT
import type { Request } from './messages.js';
import { ownEnd } from './port.js';
import type { Engine, Server } from './server.js';

/**
 * Makes a worker of your own understand `openWorker({ worker })` and `openPool({ worker })`: call it once in its script,
 * beside registering layers of your own. It runs on the entry whose functions it is given: `maskflow`, or
 * `maskflow/recurrent`, whose wasm it then takes. Where a bundler makes one file of a worker (Vite's default), import all of it from
 * `maskflow/single`. StateError outside of a worker.
 *
 * @example
 * import { loadModel, ready, registerLayer } from 'maskflow';
 * import { serve } from 'maskflow/worker';
 * registerLayer(Mine);
 * serve({ ready, loadModel });
 */
export function serve(engine: Engine): void {
  const { post, listen } = ownEnd();
  let server: Promise<Server> | undefined;
  listen((message) => {
    server ??= import('./server.js').then(({ Server }) => new Server(engine, post));
    server.then((there) => there.receive(message as Request));
  });
}
