// SPDX-License-Identifier: MIT
// The worker of the first chapter: it has what recurrent models need, and the chapter's model, and starts soonest.
import * as flow from 'maskflow/recurrent';
import brackets from '../../tests/fixtures/trained/brackets.keras';
import { proof } from '../chapters/proof/read.js';
import { type Flow, serveEngine } from './worker.js';

const own = async () => flow;
const modules = { 'maskflow/recurrent': own, maskflow: own };
serveEngine(flow as unknown as Flow, modules, { proof }, { 'models/brackets.keras': brackets });
