// SPDX-License-Identifier: MIT
const differ =
  /Over the 6 steps of this row, these equations and the layer itself differ by (exactly 0|less than 0\.0{6,9}1)\.$/;

export const claims = [
  { name: 'an LSTM', hash: '#v1/cell', says: differ, count: { '#cell .equation': 6 } },
  { name: 'a GRU', hash: '#v1/cell?cell.layer=gru', says: differ, count: { '#cell .equation': 4 } },
  {
    name: 'a GRU with reset_after off',
    hash: '#v1/cell?cell.layer=gru&cell.resetAfter=0',
    says: differ,
    count: { '#cell .equation': 4, '#cell .equations [data-link="cell-rhU"]': 1 },
  },
  {
    name: 'a SimpleRNN',
    hash: '#v1/cell?cell.layer=simpleRNN',
    says: differ,
    count: { '#cell .equation': 1 },
  },
  {
    name: 'a masked step',
    hash: '#v1/cell?cell.holes=1w2',
    says: /^The step is masked: maskflow skips it; Keras computes it and discards the result\. In both, the layer repeats its last output, to the last bit/,
    count: { '#cell .equation.held': 2, '#cell .equation.skipped': 6 },
  },
];
