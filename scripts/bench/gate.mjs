// SPDX-License-Identifier: MIT
// Fails if this commit is slower than another one. Measures both beside onnxruntime-web, in turns
// on this machine, and compares their ratios to it, which do not depend on the machine. The limit
// is a ratio that is 15 % lower.
//   --base=origin/main   the other commit: where this branch left that one
//   --only=W1,W2         workloads
//   --rounds=3           measurements of each. The shortest times count: on a busy machine the medians
//                        of the same code differed by 180 %, the shortest times by 6 %
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { at } from '../lib/files.mjs';
import { Failure, main, output, run } from '../lib/process.mjs';

const maxLoss = 0.15;
const rival = 'onnxruntime-web';
// The default workloads: all except the largest, which takes a second per sample.
const quick = 'W1,W2,W3,W4,W5,W6,W8,W9';

async function must(cwd, command, ...args) {
  if ((await run(command, args, { cwd })) !== 0) throw new Failure(`${command} ${args.join(' ')}`);
}

/** Builds the other commit in a folder, with the measuring scripts of this commit. */
async function checkOut(ref) {
  const folder = at('build', 'base');
  rmSync(folder, { recursive: true, force: true });
  await must(at(), 'git', 'worktree', 'add', '--force', '--detach', folder, ref);
  await must(folder, process.execPath, 'scripts/build.mjs');
  for (const part of ['bench', 'scripts']) {
    rmSync(join(folder, part), { recursive: true });
    cpSync(at(part), join(folder, part), { recursive: true });
  }
  return folder;
}

/** Returns the shortest time of each package for each workload. */
async function leastTimes(folder, only) {
  const out = at('build', 'gate.json');
  await must(
    folder,
    process.execPath,
    'scripts/bench.mjs',
    'peers',
    '--no-native',
    `--only=${only}`,
    `--json=${out}`,
  );
  const [{ rows }] = JSON.parse(readFileSync(out, 'utf8'));
  return rows.map(({ id, results }) => [id, results.maskflow.least, results[rival].least]);
}

await main(async () => {
  const { base, only, rounds } = parseArgs({
    options: {
      base: { type: 'string', default: 'origin/main' },
      only: { type: 'string', default: quick },
      rounds: { type: 'string', default: '3' },
    },
  }).values;
  mkdirSync(at('build'), { recursive: true });
  const left = output('git', ['merge-base', base, 'HEAD']);
  if (!left) throw new Failure(`this branch and ${base} have no commit in common`);
  const folders = { before: await checkOut(left), now: at() };
  await must(at(), process.execPath, 'scripts/build.mjs');
  const found = {};
  for (let round = 0; round < Number(rounds); round++) {
    for (const [when, folder] of Object.entries(folders)) {
      for (const [id, ...times] of await leastTimes(folder, only)) {
        found[id] ??= { before: [Infinity, Infinity], now: [Infinity, Infinity] };
        found[id][when] = found[id][when].map((least, i) => Math.min(least, times[i]));
      }
    }
  }
  const slower = Object.entries(found).filter(([id, times]) => {
    const [before, now] = [times.before, times.now].map(([ours, theirs]) => theirs / ours);
    const change = (100 * (now / before - 1)).toFixed(1);
    console.log(`${id}: ${before.toFixed(2)} -> ${now.toFixed(2)} × ${rival} (${change} %)`);
    return !(now >= (1 - maxLoss) * before);
  });
  await must(at(), 'git', 'worktree', 'remove', '--force', folders.before);
  if (slower.length > 0) throw new Failure(`slower: ${slower.map(([id]) => id).join(', ')}`);
});
