// SPDX-License-Identifier: MIT
// Runs what keras_evaluate.py recorded through the package and lists what differs.
//
//   node tests/fuzz/replay_evaluate.mjs TORCH.jsonl
import { readFileSync } from 'node:fs';
import * as mf from '../../dist/index.js';
import { evaluated } from '../support/evaluated.js';

await mf.ready({ onMaskDropped: 'silent' });
const cases = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
let wrong = 0;
for (const recorded of cases) {
  const difference = evaluated(recorded);
  if (difference === null) continue;
  wrong++;
  const { x, y, sample_weight, expect, ...choices } = recorded;
  console.log(recorded.id, difference, JSON.stringify(choices));
}
console.log(`${wrong} of ${cases.length} differ`);
process.exitCode = wrong > 0 ? 1 : 0;
