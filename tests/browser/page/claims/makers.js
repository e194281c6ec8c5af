// SPDX-License-Identifier: MIT
export const claims = [
  {
    name: 'Embedding and Masking make the same mask',
    hash: '#v1/makers',
    says: /^4 ids are 0, and the mask is F at 4 steps of 18\. .* makes the same mask\.$/,
    count: { '#makers .mini td.masked': 4, '#makers td.chosen-step': 1 },
  },
  {
    name: 'without mask_zero there is no mask',
    hash: '#v1/makers?makers.maskZero=0',
    says: /^x\.mask is null/,
    count: { '#makers .nomask': 1 },
  },
  {
    name: 'partly equal steps pass unchanged',
    hash: '#v1/makers?makers.maker=masking',
    says: /^1 of 8 steps is masked and set to 0\. 4 steps equal 0 in part: all pass unchanged\. computeMask alone returns the same mask\.$/,
    count: { '#makers .mini td.masked': 1 },
  },
  {
    name: 'a mask painted by hand',
    hash: '#v1/makers?makers.maker=hand&makers.holes=0w1',
    says: /attaches one with F at 5 of 18 steps\. 1 step differs from the mask of mask_zero\.$/,
    count: { '#makers .paint td.masked': 5 },
  },
];
