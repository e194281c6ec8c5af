// SPDX-License-Identifier: MIT
// `serve` of maskflow/worker and maskflow/single.
import type { Request } from './messages.js';
import { ownEnd } from './port.js';
import type { Engine, Server } from './server.js';

/**
 * Connects your own worker script with `openWorker({ worker })` or `openPool({ worker })`. Call it
 * once in that script, after registering your layers. `engine` has `ready` and `loadModel` of an
 * entry: `maskflow`, `maskflow/train` for a worker that trains, or `maskflow/recurrent` with its
 * wasm. If your bundler builds workers as one file (Vite's default), import everything from
 * `maskflow/single`. Throws StateError outside of a worker.
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
    server.then((loaded) => loaded.receive(message as Request));
  });
}
