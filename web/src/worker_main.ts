// SPDX-License-Identifier: MIT
// The script of the package's own workers: one file that imports nothing, so that bundlers and plain servers alike can
// hand it out as it is. The wasm comes from the page.
import { allLayers } from './all_layers.js';
import { StateError } from './errors.js';
import { loadModelWith } from './load_model.js';
import type { Parts } from './parts.js';
import { type ReadyOptions, readyWith } from './runtime.js';
import type { Request } from './worker/messages.js';
import { ownEnd } from './worker/port.js';
import { Server } from './worker/server.js';

const absent = async (): Promise<never> => {
  throw new StateError('the wasm comes with the first message');
};
const parts: Parts = { ...allLayers, chunks: { simd: absent, relaxed: absent } };
const ready = (options: ReadyOptions = {}): Promise<void> => readyWith(options, parts);

const { post, listen } = ownEnd();
const engine = {
  ready,
  loadModel: (source: Parameters<typeof loadModelWith>[1], options: object) =>
    loadModelWith(ready, source, options),
};
const server = new Server(engine, post);
listen((message) => server.receive(message as Request));
