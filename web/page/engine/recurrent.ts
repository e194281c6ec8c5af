// SPDX-License-Identifier: MIT
// The worker of the first chapter: it has what recurrent models need, and starts soonest.
import * as flow from 'maskflow/recurrent';
import { proof } from '../chapters/proof/read.js';
import { type Flow, serveEngine } from './worker.js';

const own = async () => flow;
void serveEngine(flow as unknown as Flow, { 'maskflow/recurrent': own, maskflow: own }, { proof });
