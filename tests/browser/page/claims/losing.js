// SPDX-License-Identifier: MIT
const at = (name, more = '') => `#v1/losing?losing.case=${name}${more}`;

export const claims = [
  {
    name: 'a key mask takes the attention off padding',
    hash: '#v1/losing',
    says: /^Without the key mask, “.Hello.” gives 61 % of its attention to padding\. With it, exactly 0, and its row still sums to 1\.$/,
    count: { '#losing .map svg': 2 },
  },
  {
    name: 'padding is part of the loss without a mask',
    hash: at('loss'),
    says: /the mean over 14 words: 0\.\d{4}\. Without it, it is the mean over 18 steps, 4 of them padding: 0\.\d{4}, /,
    count: { '#losing .filled td.masked': 4, '#losing .filled td.kept': 14 },
  },
  {
    name: 'padding in front leaves a word at the end',
    hash: at('decoder'),
    says: /'post', it is padding in 2 of 3 rows; with padding: 'pre', it is a word in every row\. .* exactly 0\.$/,
    count: { '#losing .grid': 2, '#losing .grid td.masked': 8 },
  },
  {
    name: 'packed rows are the mask in other words',
    hash: at('packed'),
    says: /^14 words in place of 18 steps: .* differ by exactly 0\.$/,
    count: { '#losing .grid td.blank': 4, '#losing .grid td.masked': 0 },
  },
  {
    name: 'some layers need no mask',
    hash: at('care'),
    says: /^4 of 8 do not change at all\./,
    count: { '#losing .care .safe': 4, '#losing .care .length': 4 },
  },
];
