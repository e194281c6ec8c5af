// SPDX-License-Identifier: MIT
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { at } from '../../scripts/lib/files.mjs';
import { relaxedFlag } from '../../scripts/lib/relaxed-flag.mjs';
import { formats } from './model.mjs';

const execute = promisify(execFile);

/** What node.mjs prints, in a process of its own. */
async function asked(...args) {
  const program = at('bench', 'load', 'node.mjs');
  const flags = ['--expose-gc', ...relaxedFlag(process.execPath)];
  const { stdout } = await execute(process.execPath, [...flags, program, ...args.map(String)]);
  return JSON.parse(stdout);
}

/** Each format so often in new processes, with so many loads in each. */
export async function measureInNode(processes, loads) {
  const rows = formats.map(({ title }) => ({ title: `${title}, by path`, times: [] }));
  for (let i = 0; i < processes; i++) {
    for (const [number, row] of rows.entries()) {
      row.times.push(await asked('speed', number, loads));
    }
  }
  for (const [number, row] of rows.entries()) row.memory = await asked('memory', number);
  return { engine: `Node ${process.versions.node}`, rows, course: await asked('predict', 0) };
}
