// SPDX-License-Identifier: MIT
export const claims = [
  {
    name: 'the mask keeps the answer of a stock model',
    hash: '#own',
    says: /^With its masks, 200 empty places change the answer by exactly 0; with the masks removed, they change the answer by up to 0\.99\d+\.$/,
    count: { '#own .chart path.line': 2, '#own [data-slot="trace"] li': 5 },
  },
  {
    name: 'a sensor, each step',
    hash: '#v1/own?own.model=sensor&own.pads=20',
    says: /^With its masks, 200 empty places change the answer by /,
  },
  {
    name: 'a typed row',
    hash: '#own',
    set: { input: '[[1, 2]]' },
    says: /change the answer by exactly 0/,
  },
];
