// SPDX-License-Identifier: MIT
// Training with one seed gives equal weights to the bit, also in another process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';
import { runModule } from '../support/programs.js';
import { hash } from '../matrix/programs/bits.js';
import { trainedBits } from '../support/trained_bits.js';

test('training again with the same seed gives the same weights', async () => {
  const bits = await trainedBits(mf);
  assert.match(bits, /^[0-9a-f]{1,8} \d/);
  // The matrix expects this hash from every engine. After an intended change of the numbers, update
  // it.
  assert.equal(bits.split(' ')[0].padStart(8, '0'), hash);
  assert.equal(await trainedBits(mf), bits);
  const place = (path) => JSON.stringify(String(new URL(path, import.meta.url)));
  const program = `import * as mf from ${place('../../dist/train.js')};
import { trainedBits } from ${place('../support/trained_bits.js')};
console.log(await trainedBits(mf));`;
  assert.equal(runModule(program).trim(), bits);
});
