// SPDX-License-Identifier: MIT
// The same seed gives the same weights, to the bit: again, and in another process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';
import { runModule } from '../support/programs.js';
import { hash } from '../matrix/programs/bits.js';
import { trainedBits } from '../support/trained_bits.js';

test('training again with the same seed gives the same weights', async () => {
  const first = await trainedBits(mf);
  assert.match(first, /^[0-9a-f]{1,8} \d/);
  // What the matrix wants of every engine. Where numbers are meant to change it is the new hash.
  assert.equal(first.split(' ')[0].padStart(8, '0'), hash);
  assert.equal(await trainedBits(mf), first);
  const place = (path) => JSON.stringify(String(new URL(path, import.meta.url)));
  const program = `import * as mf from ${place('../../dist/train.js')};
import { trainedBits } from ${place('../support/trained_bits.js')};
console.log(await trainedBits(mf));`;
  assert.equal(runModule(program).trim(), first);
});
