// SPDX-License-Identifier: MIT
// Snippets in a process of their own, for what can be seen only once: the first ready(), the collector.
import { execFileSync } from 'node:child_process';

export const entry = new URL('../../dist/index.js', import.meta.url);

/** Runs a module body in which `mf` is the package; what it passes to `say` comes back, parsed. */
export function fresh(body, { flags = [] } = {}) {
  const code = `import * as mf from '${entry}';
    const say = (value) => console.log(JSON.stringify(value));
    ${body}`;
  const said = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  return said.trim().split('\n').filter(Boolean).map(JSON.parse);
}
