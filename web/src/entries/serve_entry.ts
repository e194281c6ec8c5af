// SPDX-License-Identifier: MIT
// The script of the package's own workers, worker_main.js and worker_train.js. Workers of users
// call `serve` of maskflow/worker instead.
import { MaskflowError, StateError } from '../base/errors.js';
import type { LoadOptions } from '../model/load_options.js';
import type { ModelSource } from '../base/model_source.js';
import { loadModelWith } from './load_model.js';
import { type Entry, readyWith } from './start.js';
import type { ReadyOptions } from '../engine/runtime.js';
import type { Request } from '../worker/messages.js';
import { ownEnd } from '../worker/port.js';
import { Server } from '../worker/server.js';

const absent = {
  load: async (): Promise<never> => {
    throw new StateError(
      'this script is for openWorker({ workerUrl }), which sends the wasm; in a worker of your own, call serve()',
    );
  },
};
/** Advice to a page, which cannot follow the usual one, by the code of the error. */
const advices: { readonly [code: string]: string } = {
  ERR_CUSTOM_OBJECTS:
    '; for a worker, do so in a script of your own that calls serve(), openWorker({ worker })',
  ERR_NEEDS_TEXT:
    '; workers read no texts, so do so on the page, and call predict(texts, { workers: 2 })',
};

function advise(error: unknown): never {
  if (error instanceof MaskflowError) error.message += advices[error.code] ?? '';
  throw error;
}

/** Makes this script a worker of the package. */
export function serveEntry(layers: Omit<Entry, 'chunks'>): void {
  const entry: Entry = { ...layers, chunks: { simd: absent, relaxed: absent, threads: absent } };
  const ready = (options: ReadyOptions = {}): Promise<void> => readyWith(options, entry);
  const { post, listen } = ownEnd();
  const engine = {
    ready,
    loadModel: (source: ModelSource, options: LoadOptions) =>
      loadModelWith(ready, source, options).catch(advise),
  };
  const server = new Server(engine, post);
  listen((message) => server.receive(message as Request));
}
