// SPDX-License-Identifier: MIT
// Runs what keras_measures.py recorded through the package and lists what differs.
//
//   node tests/fuzz/replay_measures.mjs TORCH.jsonl [NUMPY.jsonl] [--id 1:17]
//     [--keep FIXTURE.jsonl]
//
// Where two recordings of the same cases do not agree, either is right. --keep writes those that
// agree, for tests/web/measures.test.js.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as mf from '../../dist/index.js';
import { differenceOf, run } from '../support/measures.js';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { id: { type: 'string' }, keep: { type: 'string' } },
});
const read = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const [first, ...others] = positionals.map(read);

if (flags.keep) {
  const outcome = ({ results, error, at }) => JSON.stringify([results, error && at]);
  const kept = first.filter((recorded, i) =>
    others.every((list) => outcome(list[i].expect) === outcome(recorded.expect)),
  );
  const lines = kept.map(({ expect: { message, ...expect }, ...recorded }) =>
    JSON.stringify({ ...recorded, expect }),
  );
  writeFileSync(flags.keep, `${lines.join('\n')}\n`);
}

await mf.ready({ onMaskDropped: 'silent' });
const counts = {};
let wrong = 0;
first.forEach((recorded, i) => {
  if (flags.id && recorded.id !== flags.id) return;
  const got = run(recorded);
  const expected = [recorded, ...others.map((list) => list[i])].map(({ expect }) => expect);
  const differences = expected.map((expect) => differenceOf(got, expect));
  if (flags.id) console.log(JSON.stringify({ ...recorded, got, expected }, null, 1));
  if (differences.includes(null)) return;
  wrong++;
  const [text] = differences;
  const key = `${recorded.class}: ${text.kind}`;
  counts[key] = (counts[key] ?? 0) + 1;
  if (counts[key] <= 3) console.log(recorded.id, recorded.class, text.kind, text.note);
});
for (const [key, count] of Object.entries(counts).sort()) console.log(count, key);
console.log(`${wrong} of ${first.length} differ`);
process.exitCode = wrong > 0 ? 1 : 0;
