// SPDX-License-Identifier: MIT
// Checks what a release needs before it is published (docs/releasing.md): node
// scripts/check-release.mjs [TAG]
import { readFileSync } from 'node:fs';
import { checkMain } from './lib/checks.mjs';
import { at } from './lib/files.mjs';

/** Fields of package.json that only the project's owner can fill in. */
const ofOwner = ['repository', 'bugs', 'homepage', 'author', 'funding'];

export function releaseComplaints(manifest, changelog, tag) {
  const complaints = ofOwner
    .filter((name) => !manifest[name])
    .map((name) => `package.json has no "${name}"; docs/releasing.md has the lines to add`);
  const { version } = manifest;
  if (
    !changelog
      .split('\n')
      .some((line) => new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`).test(line))
  ) {
    complaints.push(`CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)"`);
  }
  if (tag !== undefined && tag !== `v${version}`) {
    complaints.push(`the tag is ${tag}, but package.json has the version ${version}`);
  }
  return complaints;
}

await checkMain(import.meta.url, () =>
  releaseComplaints(
    JSON.parse(readFileSync(at('package.json'), 'utf8')),
    readFileSync(at('CHANGELOG.md'), 'utf8'),
    process.argv[2],
  ),
);
