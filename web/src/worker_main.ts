// SPDX-License-Identifier: MIT
// The script of the package's own workers: one file that imports nothing, so that bundlers and plain servers alike can
// hand it out as it is. The wasm comes from the page.
import { allLayers } from './entries/all_layers.js';
import { MaskflowError, StateError } from './base/errors.js';
import type { LoadOptions } from './model/load_options.js';
import type { ModelSource } from './base/model_source.js';
import { loadModelWith } from './entries/load_model.js';
import type { Entry } from './entries/start.js';
import type { ReadyOptions } from './engine/runtime.js';
import { readyWith } from './entries/start.js';
import type { Request } from './worker/messages.js';
import { ownEnd } from './worker/port.js';
import { Server } from './worker/server.js';

const absent = {
  file: '',
  load: async (): Promise<never> => {
    throw new StateError(
      'worker_main.js is for openWorker({ workerUrl }), which brings the wasm; a worker of your own has a script that calls serve()',
    );
  },
};
const entry: Entry = { ...allLayers, chunks: { simd: absent, relaxed: absent } };
const ready = (options: ReadyOptions = {}): Promise<void> => readyWith(options, entry);

/** The page cannot follow the advice that is given where the classes of a file are not known. */
function advise(error: unknown): never {
  if (error instanceof MaskflowError && error.message.includes('customObjects')) {
    error.message +=
      '; for a worker do so in a script of your own, openWorker({ worker }), that calls serve()';
  }
  throw error;
}

const { post, listen } = ownEnd();
const engine = {
  ready,
  loadModel: (source: ModelSource, options: LoadOptions) =>
    loadModelWith(ready, source, options).catch(advise),
};
const server = new Server(engine, post);
listen((message) => server.receive(message as Request));
