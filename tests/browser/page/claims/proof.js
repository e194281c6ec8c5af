// SPDX-License-Identifier: MIT
export const claims = [
  {
    name: 'the mask keeps the answer; without it one padded step reverses it',
    hash: '#v1/proof?proof.pads=1',
    says: /^The model read the zero as data\. A mask tells it not to\. With the mask, 200 empty places change the answer by exactly 0\. Without it, the verdict flips at 1 empty place\.$/,
    count: { '#proof .tokens .cell.masked': 1, '#proof svg path.line': 2 },
  },
  {
    name: 'the slider moves the row and not the curves',
    hash: '#proof',
    set: { pads: '200' },
    says: /200 empty places change the answer by exactly 0/,
    count: { '#proof .tokens .cell.masked': 12, '#proof svg .dot': 2 },
  },
  {
    name: 'another row',
    hash: '#v1/proof',
    set: { text: '(((', pads: '2' },
    says: /With the mask, 200 empty places change the answer by exactly 0/,
  },
];
