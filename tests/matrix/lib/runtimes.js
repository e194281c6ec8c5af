// SPDX-License-Identifier: MIT
// Versions of Node, each installed once a run; and ports for servers that cannot choose one.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { installNode } from '../../../scripts/lib/nodes.mjs';

/** Version of Node that runs the tools; the newest tools need Node 22 or newer. */
export const toolNode = '24.21.0';

const installed = new Map();

/** Returns the folder with `node` of a version, which is installed once per run. */
export function nodeFolder(version, shared) {
  const key = join(shared.folder, version);
  if (!installed.has(key)) {
    installed.set(key, installNode(version, join(shared.folder, `node-${version}`)));
  }
  return installed.get(key);
}

/** Returns a free port as text. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return String(port);
}

/** Returns the arguments with a free port in place of PORT. */
export async function withPort(args) {
  const port = await freePort();
  return args.map((argument) => (argument === 'PORT' ? port : argument));
}
