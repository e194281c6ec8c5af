// SPDX-License-Identifier: MIT
// The worker of the first chapter. It contains the recurrent entry and the chapter's model only, so
// it starts soonest.
import { loadModel, memory, ready, runtimeInfo, tensor, tidy } from 'maskflow/recurrent';
import brackets from '../../tests/fixtures/trained/brackets.keras';
import { proof } from '../chapters/proof/read.js';
import { type Flow, serveEngine } from './worker.js';

// Names what the chapter's program uses, so that the bundler drops the rest of the entry.
const flow = { loadModel, memory, ready, runtimeInfo, tensor, tidy };
const entry = async () => flow;
const modules = { 'maskflow/recurrent': entry, maskflow: entry };
/** Prints lists of numbers, and nothing else that a program may print: it runs only its own. */
const inspect = (value: unknown): string =>
  Array.isArray(value) ? `[ ${value.join(', ')} ]` : String(value);
serveEngine(flow as unknown as Flow, modules, { proof }, inspect, {
  'models/brackets.keras': brackets,
});
