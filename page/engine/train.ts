// SPDX-License-Identifier: MIT
// The worker for training. Its entry exports everything that the other entries export.
import * as flow from 'maskflow/train';
import { readers } from '../chapters/readers.js';
import { inspect } from './inspect.js';
import { type Flow, serveEngine } from './worker.js';

const entry = async () => flow;
const modules = {
  maskflow: entry,
  'maskflow/recurrent': entry,
  'maskflow/train': entry,
  'maskflow/text': () => import('maskflow/text'),
  'maskflow/worker': () => import('maskflow/worker'),
};
serveEngine(flow as unknown as Flow, modules, readers, inspect);
