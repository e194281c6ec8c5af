// SPDX-License-Identifier: MIT
// The check of the workflows refuses anything that would let other people's code publish the
// package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkWorkflows, workflowComplaints } from '../../scripts/check-workflows.mjs';
import { at } from '../../scripts/lib/files.mjs';

const release = readFileSync(at('.github', 'workflows', 'release.yml'), 'utf8');
const complaints = (text) => workflowComplaints('w.yml', text).join('\n');
/** Returns the complaints about the release workflow with the first `found` replaced. */
function complaintsAfter(found, replacement) {
  assert.ok(release.includes(found), `release.yml contains ${found}`);
  return complaints(release.replace(found, replacement));
}
/**
 * Returns the complaints about the release workflow with a further step in the job that publishes.
 */
const withStep = (step) => complaints(`${release}      - ${step}\n`);

test("the project's workflows follow the rules", () => {
  assert.deepEqual(checkWorkflows(), []);
});

test('an action pinned by a tag, a branch or a short commit is refused', () => {
  for (const ref of ['v7', 'main', '3d3c42e', '3d3c42e5aac5ba805825da76410c181273ba90b1']) {
    const result = complaintsAfter(
      /actions\/checkout@.*/.exec(release)[0],
      `actions/checkout@${ref}`,
    );
    assert.match(result, /^w\.yml:\d+: 'actions\/checkout@.* is not pinned/, ref);
  }
  const text = 'permissions:\njobs:\n  a:\n    uses: else/where/.github/workflows/w.yml@v1\n';
  assert.match(complaints(text), /w\.yml:4: .*is not pinned/);
  assert.equal(complaints(text.replace('else/where/.github/workflows/w.yml@v1', './w.yml')), '');
});

test('an image without a digest is refused, wherever it is named', () => {
  const image = /node:24\S+/.exec(release)[0];
  assert.match(
    complaintsAfter(image, 'node:24-bookworm'),
    /the image 'node:24-bookworm' is not pinned/,
  );
  const matrix = `permissions:\njobs:\n  a:\n    strategy:\n      image:\n        - node:22-bookworm\n`;
  assert.match(complaints(matrix), /w\.yml:6: the image 'node:22-bookworm'/);
  assert.match(
    complaintsAfter('container: ', 'container:\n      image: alpine:3\n    was: '),
    /alpine:3/,
  );
});

test('an expression in a shell line is refused in every syntax', () => {
  const step = (run) => complaints(`permissions:\njobs:\n  a:\n    steps:\n${run}`);
  const expression = ['$', 'github.head_ref }}'].join('{{ ');
  for (const run of [
    `      - run: echo ${expression}\n`,
    `      - run: |\n          echo one\n\n          echo ${expression}\n`,
    `      - name: a\n        run: >-\n          echo ${expression}\n`,
    `      - run: echo\n          ${expression}\n`,
    `      - 'run': echo ${expression}\n`,
    `      - with:\n          script: |\n            x('${expression}')\n`,
  ]) {
    assert.match(step(run), /an expression in a shell line/, run);
  }
  assert.equal(step(`      - env:\n          A: ${expression}\n        run: echo "$A"\n`), '');
});

test('a job with id-token installs, builds and checks out nothing', () => {
  for (const command of ['npm install -g npm@11', 'apt-get install -y git', 'npx x', 'npm ci']) {
    assert.match(withStep(`run: ${command}`), /a job with id-token runs/, command);
  }
  const [checkout] = /actions\/checkout@.*/.exec(release);
  assert.match(withStep(`uses: ${checkout}`), /a job with id-token uses actions\/checkout/);
  const writeAll = complaintsAfter('  pack:\n', '  pack:\n    permissions: write-all\n');
  assert.match(writeAll, /a job with id-token uses actions\/checkout/);
  assert.match(writeAll, /a job with id-token runs 'apt-get'/);
});

test('steps in braces, which the check cannot read, are refused', () => {
  assert.match(withStep('{ uses: actions/checkout@v4 }'), /within braces/);
  assert.match(withStep('{ name: a, "run": npm ci }'), /within braces/);
});

test('a workflow that signs restores no cache, in any job', () => {
  const cache = 'actions/cache@27d5ce7f107fe9357f9df03efb73ab90386fccae # v5.0.5';
  const result = complaintsAfter(
    '      - run: .ci/run\n',
    `      - uses: ${cache}\n      - run: .ci/run\n`,
  );
  assert.match(result, /restores a cache/);
});

test('permissions must be set at the top, and id-token in one job only', () => {
  assert.match(
    complaintsAfter('permissions:\n  contents: read\n', ''),
    /no permissions at the top/,
  );
  assert.match(
    complaintsAfter('  contents: read\n', '  contents: read\n  id-token: write\n'),
    /id-token for all jobs/,
  );
});
