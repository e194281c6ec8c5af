// SPDX-License-Identifier: MIT
export const claims = [
  {
    name: 'a masked word in the middle: the state does not change',
    hash: '#v1/steps?steps.row=1&steps.holes=1w2',
    says: /^Row 1: 4 steps kept, 2 masked\. At masked steps the last output is repeated, to the last bit\./,
    count: {
      '#steps .paint td.masked': 2,
      '#steps .track': 2,
      '#steps .track .masked': 4,
      '#steps td.chosen-step': 1,
    },
  },
  {
    name: 'zero_output_for_mask',
    hash: '#v1/steps?steps.row=1&steps.holes=1w2&steps.zero=1&steps.layer=gru',
    says: /At masked steps the output is 0\./,
  },
  {
    name: 'Bidirectional has a line for each direction and unit',
    hash: '#v1/steps?steps.row=1&steps.holes=1w2&steps.merge=concat',
    says: /At masked steps the output is 0\./,
    count: { '#steps .track': 4 },
  },
  {
    name: 'a NaN at a masked step has no effect',
    hash: '#v1/steps?steps.row=2&steps.holes=2w3&steps.nans=2w3',
    says: /NaN reaches 0 of the outputs with the mask, 3 without it\.$/,
  },
];
