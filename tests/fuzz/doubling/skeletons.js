// SPDX-License-Identifier: MIT
// Skeletons of unknown classes: their names, settings, layers inside and copies.
import * as mf from '../../../dist/train.js';
import { integer, pick } from '../../support/random.js';
import { layer, names, sequential } from './graphs.js';

const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));
const own = (class_name, name, config = {}) => ({
  ...layer(class_name, name, config),
  module: 'mine',
  registered_name: `p>${class_name}`,
});
const asSkeleton = (make) => ({
  make: (size, random) => JSON.stringify(sequential(make(size, random, names(random)))),
  run: (text) => mf.writeSkeleton(text),
});

export const skeletonStructures = {
  'writeSkeleton: classes of different names': asSkeleton((size, _random, name) =>
    range(size, (i) => own(`C${name(i)}`, name(i))),
  ),
  'writeSkeleton: names that clean to the same': asSkeleton((size, _random, name) =>
    range(size, (i) =>
      own(
        `A${'!'.repeat(1 + (i % 7))}${'é'.repeat(i % 5)}${String.fromCodePoint(0x4e00 + (i % 20000))}`,
        name(i),
      ),
    ),
  ),
  'writeSkeleton: names that end in numbers': asSkeleton((size, random, name) =>
    range(size, (i) => own(pick(random, ['A', `A${i}`, `A_${i}`, `A${i}!`]), name(i))),
  ),
  'writeSkeleton: one class, many copies': asSkeleton((size, random, name) =>
    range(size, (i) =>
      own('Mine', name(i), { units: integer(random, 1, 3), [pick(random, ['a', 'b'])]: i }),
    ),
  ),
  'writeSkeleton: one class, many settings': asSkeleton((size, _random, name) => [
    own('Mine', 'mine', Object.fromEntries(range(size, (i) => [name(i), i]))),
  ]),
  'writeSkeleton: one class, settings that differ': asSkeleton((size, _random, name) =>
    range(size, (i) => own('Mine', name(i), { [name(i)]: i })),
  ),
  'writeSkeleton: layers inside': asSkeleton((size, _random, name) => [
    own('Mine', 'mine', { inner: range(size, (i) => layer('Dense', name(i), { units: 1 })) }),
  ]),
  'writeSkeleton: long texts': asSkeleton((size) => [
    own('Mine', 'mine', { text: '\u2028"`\\'.repeat(size) }),
  ]),
};
