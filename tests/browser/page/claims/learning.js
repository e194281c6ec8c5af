// SPDX-License-Identifier: MIT
export const claims = [
  {
    name: 'without a mask the model learns the padding, too',
    hash: '#v1/learning',
    click: '#learning [data-run="run"]',
    says: /^After 24 epochs, on \d+ rows that neither model saw: padded to 14 as in training, (9\d|100) % right with the mask and (9\d|100) % without; alone and not padded, (9\d|100) % and [1-6]\d %(, which is guessing)?\. Without a mask, the model learned from the padding as well\.$/,
    count: { '#learning .chart': 2, '#learning [data-slot="rows"] tbody tr': 6 },
  },
];
