// SPDX-License-Identifier: MIT
// The script of the package's own workers: one file that imports nothing, so that bundlers and plain servers alike can
// hand it out as it is. The wasm comes from the page.
import { allLayers } from './entries/all_layers.js';
import { serveEntry } from './entries/serve_entry.js';

serveEntry(allLayers);
