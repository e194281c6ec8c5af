// SPDX-License-Identifier: MIT
// Nothing is published that lacks what docs/releasing.md asks for.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { releaseComplaints } from '../../scripts/check-release.mjs';
import { at } from '../../scripts/lib/files.mjs';

const whole = {
  version: '1.2.3',
  repository: { type: 'git', url: 'git+https://example.org/maskflow.git' },
  bugs: 'https://example.org/maskflow/issues',
  homepage: 'https://example.org/maskflow',
  author: 'A. Name',
  funding: 'https://example.org/fund',
};
const changelog = '# Changelog\n\n## 1.2.3 (2026-01-31)\n\n- Something.\n';

test('what is whole may be released', () => {
  assert.deepEqual(releaseComplaints(whole, changelog, 'v1.2.3'), []);
});

for (const field of ['repository', 'bugs', 'homepage', 'author', 'funding']) {
  test(`without ${field} nothing is released`, () => {
    const { [field]: _, ...rest } = whole;
    const [complaint, ...others] = releaseComplaints(rest, changelog, 'v1.2.3');
    assert.match(complaint, new RegExp(`"${field}"`));
    assert.deepEqual(others, []);
  });
}

test('the version stands in the changelog with its date, and in the tag', () => {
  const unreleased = changelog.replace('2026-01-31', 'unreleased');
  assert.match(releaseComplaints(whole, unreleased, 'v1.2.3').join(), /CHANGELOG/);
  assert.match(releaseComplaints(whole, changelog, 'v1.2.4').join(), /v1\.2\.4/);
});

test('the workflow asks first, tests, tries, then publishes with provenance', () => {
  const workflow = readFileSync(at('.github', 'workflows', 'release.yml'), 'utf8');
  const steps = [
    'node scripts/check-release.mjs',
    '.ci/run',
    'npm publish --dry-run --provenance',
    'npm publish --provenance',
  ].map((step) => workflow.indexOf(step));
  assert.ok(steps.every((place) => place > 0));
  assert.deepEqual(
    steps,
    [...steps].sort((a, b) => a - b),
  );
  const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  assert.match(scripts.prepublishOnly, /check-release\.mjs/);
});
