// SPDX-License-Identifier: MIT
// Files of a served page, for workers that reach no network themselves.
import type { FileName } from './names.js';
import type { Kind } from './protocol.js';

async function fetchPart(top: string, path: string): Promise<Response> {
  const response = await fetch(new URL(path, top));
  if (!response.ok) throw new Error(`${path} did not arrive: status ${response.status}.`);
  return response;
}

export const fetchScript = async (top: string, kind: Kind | 'port'): Promise<string> =>
  (await fetchPart(top, `engine/${kind}.js`)).text();

export const fetchFile = async (top: string, name: FileName): Promise<Uint8Array> =>
  new Uint8Array(await (await fetchPart(top, name)).arrayBuffer());
