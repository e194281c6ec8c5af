// SPDX-License-Identifier: MIT
// Runs snippets in a process of their own, for effects that can be seen only once: the first
// ready(), the collector.
import { execFileSync } from 'node:child_process';

export const entry = new URL('../../dist/index.js', import.meta.url);

/** Runs a module body in which `mf` is the package; returns the values that it passes to `say`. */
export function fresh(body, { flags = [] } = {}) {
  const code = `import * as mf from '${entry}';
    const say = (value) => console.log(JSON.stringify(value));
    ${body}`;
  const output = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  return output.trim().split('\n').filter(Boolean).map(JSON.parse);
}
