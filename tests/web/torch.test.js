// SPDX-License-Identifier: MIT
// Modules that real PyTorch saved: each file of each recorded case has the numbers of PyTorch.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/torch.js';
import { torchDifference } from '../support/torch_cases.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const folder = new URL('../fixtures/torch/cases/', import.meta.url);
const caseNames = readdirSync(folder);

for (const name of caseNames) {
  test(`${name} has the numbers of PyTorch`, async () => {
    const url = new URL(`${name}/`, folder);
    const recorded = JSON.parse(readFileSync(new URL('case.json', url), 'utf8'));
    for (const file of recorded.files) {
      const path = fileURLToPath(new URL(file, url));
      assert.equal(await torchDifference(mf, recorded, file, path), null, file);
    }
  });
}
