// SPDX-License-Identifier: MIT
// One process of `npm run bench:peers`: measures, prints a table, writes its figures as JSON.
//   main.mjs OUT.json [ID,ID,…]
import { machine } from '../machine.mjs';
import { writeFileSync } from 'node:fs';
import { compare } from './compare.mjs';

const [out, only] = process.argv.slice(2);
const { node, v8 } = process.versions;
console.log(`Node ${node}, ${machine}`);
const run = await compare(only?.split(','), console.log);
writeFileSync(out, JSON.stringify({ engine: `Node ${node}`, v8, machine, ...run }, null, 1));
