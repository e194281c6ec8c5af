// SPDX-License-Identifier: MIT
// The worker of what trains. Its entry has all that the others have.
import * as flow from 'maskflow/train';
import { readers } from '../chapters/readers.js';
import { type Flow, serveEngine } from './worker.js';

const own = async () => flow;
const modules = {
  maskflow: own,
  'maskflow/recurrent': own,
  'maskflow/train': own,
  'maskflow/text': () => import('maskflow/text'),
  'maskflow/worker': () => import('maskflow/worker'),
};
serveEngine(flow as unknown as Flow, modules, readers);
