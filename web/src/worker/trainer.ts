// SPDX-License-Identifier: MIT
// Starts workers that train; fetched with the first of them.
import { type NodeWorker, nodeThreads } from '../engine/node_threads.js';
import { startText } from '../engine/start_text.js';
import { trainChunks } from '../engine/train_chunks.gen.js';
import { addressBeside } from '../engine/wasm_file.js';
import { MissingScript } from './port.js';

export const layers = 'train';
export const chunks = trainChunks;

const scriptOf = (name: string): string => `./${name}.js`;

/** Starts the script. Bundlers recognise only this form of `new Worker`. */
export function start(): Worker | NodeWorker {
  const threads = nodeThreads();
  if (threads) {
    // Not a literal: see port.ts.
    const script = addressBeside(scriptOf('worker_train'));
    if (!script) throw new MissingScript('there is no worker_train.js beside the program');
    return new threads.Worker(script, { execArgv: [] });
  }
  return new Worker(new URL('./worker_train.js', import.meta.url), { type: 'module' });
}

export const startFromText = async (): Promise<Worker | NodeWorker> =>
  startText((await import('./chunks/worker_train_script.js')).default);
