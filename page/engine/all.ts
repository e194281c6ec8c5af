// SPDX-License-Identifier: MIT
// The worker of most chapters and of the playground.
import * as flow from 'maskflow';
import { readers } from '../chapters/readers.js';
import { inspect } from './inspect.js';
import { type Flow, serveEngine } from './worker.js';

const entry = async () => flow;
const modules = {
  maskflow: entry,
  'maskflow/recurrent': entry,
  'maskflow/text': () => import('maskflow/text'),
  'maskflow/worker': () => import('maskflow/worker'),
};
serveEngine(flow as Flow, modules, readers, inspect);
