// SPDX-License-Identifier: MIT
// Versions of Node, from the packages that carry its program; and ports for servers that cannot choose one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runQuietly } from '../../../scripts/lib/process.mjs';

/** What runs the tools: the newest of them ask for Node 22 or newer. */
export const toolNode = '24.21.0';

const installed = new Map();

async function install(version, shared) {
  const folder = join(shared.folder, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await runQuietly('npm', ['install', ...quiet, `${name}@${version}`], { cwd: folder });
  return join(folder, 'node_modules', name, 'bin');
}

/** The folder with `node` of that version; installed once a run. */
export function nodeFolder(version, shared) {
  const key = join(shared.folder, version);
  if (!installed.has(key)) installed.set(key, install(version, shared));
  return installed.get(key);
}

/** A port that nobody listens at, as text. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return String(port);
}

/** Arguments of a program with a free port where they say PORT. */
export async function withPort(args) {
  const port = await freePort();
  return args.map((argument) => (argument === 'PORT' ? port : argument));
}
