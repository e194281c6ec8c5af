// SPDX-License-Identifier: MIT
// The connection of the page with a worker: the first one, or one in a frame.
import { engineScript, firstWorker, readFile } from 'page-files';
import { startInFrame } from './frame.js';
import { isFileName } from './names.js';
import type { FileSent, FromEngine, Kind, ToEngine, Wanted } from './protocol.js';

export interface Link {
  post(message: ToEngine): void;
  /** Ends the worker, whatever it computes. */
  close(): void;
}

export interface Listeners {
  onMessage(message: FromEngine): void;
  /** Called if the worker cannot start, or stops by an error. */
  onError(message: string): void;
}

export function openLink(kind: Kind, listeners: Listeners): Link {
  const first = kind === 'recurrent' ? firstWorker() : undefined;
  return first ? linkTo(first, listeners) : linkInFrame(kind, listeners);
}

/** The first worker runs only programs of the page itself, so it needs no frame. */
function linkTo(worker: Worker, { onMessage, onError }: Listeners): Link {
  worker.addEventListener('message', ({ data }) => receive(data, worker, onMessage));
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    onError(event.message);
  });
  return {
    post: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  };
}

function linkInFrame(kind: Kind, { onMessage, onError }: Listeners): Link {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => receive(data, port1, onMessage);
  const frame = startInFrame(engineScript(kind), port2, onError);
  return {
    post: (message) => port1.postMessage(message),
    close() {
      port1.close();
      frame.remove();
    },
  };
}

function receive(
  message: FromEngine | Wanted,
  from: Worker | MessagePort,
  onMessage: Listeners['onMessage'],
): void {
  if (message.kind === 'wanted') void answer(message, from);
  else onMessage(message);
}

/** Sends the bytes of a file that the worker may read. */
async function answer({ id, name }: Wanted, to: Worker | MessagePort): Promise<void> {
  const reply = (message: FileSent) => to.postMessage(message);
  try {
    if (!isFileName(name)) throw new Error(`this page has no file ${name}`);
    reply({ kind: 'file', id, bytes: await readFile(name) });
  } catch (error) {
    reply({ kind: 'file', id, problem: error instanceof Error ? error.message : String(error) });
  }
}
