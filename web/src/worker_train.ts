// SPDX-License-Identifier: MIT
// The script of the package's own workers that train, otherwise like worker_main.ts.
import { allTraining } from './entries/all_training.js';
import { serveEntry } from './entries/serve_entry.js';

serveEntry(allTraining);
