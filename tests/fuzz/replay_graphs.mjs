#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// node tests/fuzz/replay_graphs.mjs FILE...: replays what keras_graphs.py recorded through dist/ and lists what differs.
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';
import { replay } from '../support/graphs.js';

await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'silent' });
let total = 0;
let agree = 0;
for (const file of process.argv.slice(2)) {
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const recorded = JSON.parse(line);
    let problem;
    try {
      problem = replay(recorded);
    } catch (error) {
      problem = `threw ${error}`;
    }
    total++;
    if (problem === null) agree++;
    else console.log(`${recorded.name}: ${problem}`);
  }
}
console.log(`${agree} of ${total} agree`);
process.exitCode = agree === total ? 0 : 1;
