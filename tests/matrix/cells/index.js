// SPDX-License-Identifier: MIT
// All families of cells, in the order of the table.
import * as bits from './bits.js';
import * as bun from './bun.js';
import * as bundlers from './bundlers.js';
import * as deno from './deno.js';
import * as devServers from './dev_servers.js';
import * as draw from './draw.js';
import * as firefox from './firefox.js';
import * as frameworks from './frameworks.js';
import * as jest from './jest.js';
import * as node from './node.js';
import * as nodeTest from './node_test.js';
import * as packageManagers from './package_managers.js';
import * as pages from './pages.js';
import * as pickles from './pickles.js';
import * as port from './port.js';
import * as recipeComponents from './recipes_components.js';
import * as recipeFrameworks from './recipes_frameworks.js';
import * as recipePlatforms from './recipes_platforms.js';
import * as recipeTools from './recipes_tools.js';
import * as tags from './tags.js';
import * as torch from './torch.js';
import * as typescript from './typescript.js';
import * as vite from './vite.js';
import * as vitest from './vitest.js';
import * as wasmFiles from './wasm_files.js';
import * as webkit from './webkit.js';
import * as workerd from './workerd.js';

export const families = {
  Node: node,
  'Package managers': packageManagers,
  Jest: jest,
  Vitest: vitest,
  'node:test': nodeTest,
  Bun: bun,
  Deno: deno,
  workerd,
  Vite: vite,
  'Other bundlers': bundlers,
  'Wasm as a file': wasmFiles,
  'Development servers': devServers,
  Frameworks: frameworks,
  'Recipes: components': recipeComponents,
  'Recipes: frameworks': recipeFrameworks,
  'Recipes: other platforms': recipePlatforms,
  'Recipes: scripts, servers, tests and workers': recipeTools,
  'Pages without a bundler': pages,
  'Pages in Firefox': firefox,
  'Pages in WebKit': webkit,
  TypeScript: typescript,
  'Training, bit for bit': bits,
  'Files of PyTorch': torch,
  'Pickles of Python': pickles,
  Figures: draw,
  'Python programs': port,
  Tags: tags,
};

export const cells = Object.values(families).flatMap((family) => family.cells);
