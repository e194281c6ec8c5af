// SPDX-License-Identifier: MIT
// The half of `npm run bench:load` in Node, whose measurements have a process each.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { at } from '../../scripts/lib/files.mjs';
import { relaxedFlag } from '../../scripts/lib/relaxed-flag.mjs';
import { formats } from './model.mjs';

const execute = promisify(execFile);

/** Returns the output of node.mjs, run in its own process. */
async function measure(...args) {
  const program = at('bench', 'load', 'node.mjs');
  const flags = ['--expose-gc', ...relaxedFlag(process.execPath)];
  const { stdout } = await execute(process.execPath, [...flags, program, ...args.map(String)]);
  return JSON.parse(stdout);
}

/** Measures each format in `processes` new processes, with `loads` loads in each. */
export async function measureInNode(processes, loads) {
  const rows = formats.map(({ title }) => ({ title: `${title}, by path`, times: [] }));
  for (let i = 0; i < processes; i++) {
    for (const [number, row] of rows.entries()) {
      row.times.push(await measure('speed', number, loads));
    }
  }
  for (const [number, row] of rows.entries()) row.memory = await measure('memory', number);
  return { engine: `Node ${process.versions.node}`, rows, course: await measure('predict', 0) };
}
