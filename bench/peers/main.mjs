// SPDX-License-Identifier: MIT
// Runs one process of `npm run bench:peers`: measures, prints a table, and writes the figures as
// JSON.   main.mjs OUT.json [ID,ID,…] ['native']
import { machine } from '../machine.mjs';
import { writeFileSync } from 'node:fs';
import { compare } from './compare.mjs';
import * as native from './ort_native.mjs';

const [out, only, wish] = process.argv.slice(2);
const { node, v8 } = process.versions;
console.log(`Node ${node}, ${machine}`);
const run = await compare(only ? only.split(',') : undefined, console.log, wish ? [native] : []);
writeFileSync(out, JSON.stringify({ engine: `Node ${node}`, v8, machine, ...run }, null, 1));
