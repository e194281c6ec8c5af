// SPDX-License-Identifier: MIT
// The worker of the first chapter. It contains the recurrent entry and the chapter's model only, so
// it starts soonest.
import * as flow from 'maskflow/recurrent';
import brackets from '../../tests/fixtures/trained/brackets.keras';
import { proof } from '../chapters/proof/read.js';
import { type Flow, serveEngine } from './worker.js';

const entry = async () => flow;
const modules = { 'maskflow/recurrent': entry, maskflow: entry };
serveEngine(flow as unknown as Flow, modules, { proof }, { 'models/brackets.keras': brackets });
