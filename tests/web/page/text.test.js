// SPDX-License-Identifier: MIT
// Numbers as the page writes them: one form everywhere, and never a rounded 0 or 1.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageModule } from '../../support/page.js';

const { decimal, gap, integer, probability, small } = await pageModule(
  "export * from './shared/text.ts'",
);

for (const [name, write, cases] of [
  [
    'a number has four digits after the point, and a minus sign instead of a hyphen',
    decimal,
    [
      [0.001, '0.0010'],
      [1 / 3, '0.3333'],
      [-1.5, '−1.5000'],
      [-1e-9, '0.0000'],
      [Number.NaN, 'NaN'],
      [-Infinity, '−∞'],
    ],
  ],
  ['an integer has a minus sign instead of a hyphen', integer, [[-3, '−3']]],
  [
    'a size below 0.0001 has an exponent with a minus sign',
    small,
    [
      [0, '0.0000'],
      [0.001, '0.0010'],
      [4.8e-7, '4.8e−7'],
      [4e-12, '4.0e−12'],
      [-3e-8, '−3.0e−8'],
    ],
  ],
  [
    'a difference is said in words where four digits would round it to 0',
    gap,
    [
      [0, 'exactly 0'],
      [0.25, '0.2500'],
      [4.8e-7, 'less than 0.000001'],
      [4e-12, 'less than 0.00000000001'],
      [Number.NaN, 'NaN'],
    ],
  ],
  [
    'a probability is never a rounded 0 or 1',
    probability,
    [
      [3e-10, '<0.0001'],
      [0, '0.0000'],
      [0.99994, '0.9999'],
      [0.999999, '>0.9999'],
      [1, '1.0000'],
    ],
  ],
]) {
  test(name, () => {
    assert.deepEqual(
      cases.map(([value]) => write(value)),
      cases.map(([, text]) => text),
    );
  });
}
