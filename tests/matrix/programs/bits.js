// SPDX-License-Identifier: MIT
// The weights of a small training to the bit, of the variant simd: the same in every engine. Cells
// of their own ask for it.
import { trainedBits } from '../../support/trained_bits.js';

/**
 * Hash of the trained weights in Node; tests/web/training_bits.test.js compares it with the current
 * build.
 */
export const hash = '104ce085';

const bytes = (hex) => hex.match(/../g).map((byte) => Number.parseInt(byte, 16));
export const wanted = bytes(hash);
export const run = async ({ train }) =>
  bytes((await trainedBits(train, 'simd')).split(' ')[0].padStart(8, '0'));
