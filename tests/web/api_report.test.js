// SPDX-License-Identifier: MIT
// The reports in web/api that say only what differs from another entry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf } from '../../scripts/lib/api_report.mjs';

const reportOf = (...declarations) =>
  `## API Report\n\n\`\`\`ts\n\n${declarations.join('\n\n')}\n\n// (No @packageDocumentation)\n\n\`\`\`\n`;

const dense = '// @public\nexport class Dense {\n    units: number;\n}';
const overloads = [
  '// @public\nfunction add(x: Tensor): Tensor;',
  '// @public (undocumented)\nfunction add(x: SymbolicTensor): SymbolicTensor;',
];
const difference = (own, common) =>
  differenceOf('train', reportOf(...own), 'index', reportOf(...common));

test('equal entries differ in nothing', () => {
  const text = difference([dense, ...overloads], [dense, ...overloads]);
  assert.doesNotMatch(text, /Dense|add/);
});

test('a member that only one entry has is shown with its class', () => {
  const wider = dense.replace('units', 'kernel: Tensor;\n    units');
  assert.match(difference([wider], [dense]), /otherwise[\s\S]*kernel: Tensor[\s\S]*Not here/);
});

test('one of two overloads is missing', () => {
  const text = difference([overloads[0]], overloads);
  assert.match(text, /Not here[\s\S]*function add\(x: SymbolicTensor\)/);
  assert.doesNotMatch(text, /x: Tensor\)/);
});

test('a changed comment, such as a lost documentation, is a difference', () => {
  const bare = dense.replace('@public', '@public (undocumented)');
  assert.match(difference([bare], [dense]), /\(undocumented\)\nexport class Dense/);
});
