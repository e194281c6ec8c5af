// SPDX-License-Identifier: MIT
import type { Request } from './messages.js';
import { ownEnd } from './port.js';
import type { Server } from './server.js';

/**
 * Makes a worker of your own understand `openWorker({ worker })` and `openPool({ worker })`: call it once in its script,
 * beside registering layers of your own. StateError outside of a worker.
 *
 * @example
 * import { registerLayer } from 'maskflow';
 * import { serve } from 'maskflow/worker';
 * registerLayer(Mine);
 * serve();
 */
export function serve(): void {
  const { post, listen } = ownEnd();
  let server: Promise<Server> | undefined;
  const begin = async (): Promise<Server> => {
    const [{ Server }, engine] = await Promise.all([import('./server.js'), import('../ready.js')]);
    return new Server(engine, post);
  };
  listen((message) => {
    server ??= begin();
    server.then((there) => there.receive(message as Request));
  });
}
