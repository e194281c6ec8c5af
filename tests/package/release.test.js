// SPDX-License-Identifier: MIT
// A release is refused if it lacks what docs/releasing.md requires.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { releaseComplaints } from '../../scripts/check-release.mjs';
import { at } from '../../scripts/lib/files.mjs';

const complete = {
  version: '1.2.3',
  repository: { type: 'git', url: 'git+https://example.org/maskflow.git' },
  bugs: 'https://example.org/maskflow/issues',
  homepage: 'https://example.org/maskflow',
  author: 'A. Name',
  funding: 'https://example.org/fund',
};
const changelog = '# Changelog\n\n## 1.2.3 (2026-01-31)\n\n- Something.\n';

test('a complete package may be released', () => {
  assert.deepEqual(releaseComplaints(complete, changelog, 'v1.2.3'), []);
});

for (const field of ['repository', 'bugs', 'homepage', 'author', 'funding']) {
  test(`without ${field} nothing is released`, () => {
    const { [field]: _, ...incomplete } = complete;
    const [complaint, ...otherComplaints] = releaseComplaints(incomplete, changelog, 'v1.2.3');
    assert.match(complaint, new RegExp(`"${field}"`));
    assert.deepEqual(otherComplaints, []);
  });
}

test('the version must be in the changelog with its date, and equal the tag', () => {
  const unreleased = changelog.replace('2026-01-31', 'unreleased');
  assert.match(releaseComplaints(complete, unreleased, 'v1.2.3').join(), /CHANGELOG/);
  assert.match(releaseComplaints(complete, changelog, 'v1.2.4').join(), /v1\.2\.4/);
});

test('the workflow checks, tests, packs and tries before it publishes with provenance', () => {
  const workflow = readFileSync(at('.github', 'workflows', 'release.yml'), 'utf8');
  const steps = [
    'node scripts/check-release.mjs',
    '.ci/run',
    'npm pack --pack-destination',
    'npm publish ./packed/*.tgz --dry-run',
    'npm publish ./packed/*.tgz --ignore-scripts --provenance',
  ].map((step) => workflow.indexOf(step));
  assert.ok(steps.every((place) => place > 0));
  assert.deepEqual(
    steps,
    [...steps].sort((a, b) => a - b),
  );
  const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  assert.match(scripts.prepublishOnly, /check-release\.mjs/);
});
