// SPDX-License-Identifier: MIT
// The script of the package's own workers: one file without imports, so that bundlers and servers
// can serve it unchanged. The page sends the wasm.
import { allLayers } from './entries/all_layers.js';
import { serveEntry } from './entries/serve_entry.js';

serveEntry(allLayers);
