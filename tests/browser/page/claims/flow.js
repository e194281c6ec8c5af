// SPDX-License-Identifier: MIT
const equal = /by exactly 0\.$/;
const alike = '#flow [data-slot="keras"]:not([hidden], .alarm)';
const at = (model, data = 'guide', more = '') =>
  `#v1/flow?flow.model=${model}&flow.data=${data}${more}`;

export const claims = [
  {
    name: 'Embedding makes the mask, the LSTM uses it',
    hash: at('e.l'),
    says: /^The mask reaches the LSTM\. Three more columns .* by exactly 0\.$/,
    count: { '#flow .built .lost': 0, '#flow .built td.masked': 4, [alike]: 1 },
  },
  ...['LSTM', 'GRU', 'SimpleRNN'].flatMap((rnn, index) => {
    const code = ['l', 'g', 'r'][index];
    return [
      ['p', '\\+ 1'],
      ['t', '× mask'],
      ['z', 'zeros_like'],
    ].map(([operation, name], number) => ({
      name: `B${number + 1} with ${rnn}`,
      hash: at(`e.${operation}.${code}`, 'pairs'),
      says: new RegExp(`^The mask is lost at ${name}\\. .* by up to [01]\\.\\d+\\.$`),
      count: {
        '#flow .card.lost': 1,
        '#flow .card.lost .remedy button': operation === 'z' ? 1 : 2,
        [alike]: 1,
      },
    }));
  }),
  {
    name: 'the remedy of B1 works',
    hash: at('e.p.w.l', 'pairs'),
    says: /^The mask reaches the LSTM\. .* by exactly 0\.$/,
    count: { '#flow .card.lost': 0, '#flow .built .mini': 2, [alike]: 1 },
  },
  {
    name: 'G5, both halves',
    hash: at('k.s', 'tiled'),
    says: /^Nothing uses the mask yet/,
    count: { '#flow .built .mini': 3, '#flow .built li:last-child td.masked': 4, [alike]: 1 },
  },
  {
    name: 'G7 without supports_masking warns',
    hash: at('e.a.l'),
    says: /^The mask is lost at SilentActivation\./,
    count: { '#flow .card.lost .warned': 1, [alike]: 1 },
  },
  {
    name: 'G7 with it',
    hash: at('e.as.l'),
    says: equal,
    count: { '#flow .built .warned': 0, [alike]: 1 },
  },
  {
    name: 'G8',
    hash: at('e.d1.q', 'many'),
    says: /reaches the TemporalSoftmax.*exactly 0/,
    count: { [alike]: 1 },
  },
  {
    name: 'G3',
    hash: at('G3'),
    says: /differs from Sequential by exactly 0\.$/,
    count: { [alike]: 1 },
  },
  {
    name: 'G4',
    hash: at('G4'),
    says: /^attached mask differs from mask by hand by exactly 0\.$/,
    count: { [alike]: 1 },
  },
  {
    name: 'G9',
    hash: at('G9'),
    says: /^made again differs from the model by exactly 0\.$/,
    count: { [alike]: 1 },
  },
  {
    name: 'A',
    hash: at('A'),
    says: /^Of 21 steps in all of these, 4 are masked\.$/,
    count: { '#flow .values tr.masked': 4, [alike]: 1 },
  },
  { name: 'C1', hash: at('k.ls', 'readings'), says: equal, count: { [alike]: 1 } },
  {
    name: 'C1, an explicit mask wins',
    hash: at('C1'),
    says: /^explicit mask differs from attached mask by up to 0\.\d+\.$/,
    count: { [alike]: 1 },
  },
  { name: 'C2 today', hash: at('k.h.ls', 'readings'), says: equal, count: { [alike]: 1 } },
  {
    name: 'C2 under the rule of 3.16',
    hash: at('k.h.ls', 'readings', '&flow.rules=keras-3.16'),
    says: /^The mask is lost at TimeDistributed\(Dense\)\. .* differs from that with the mask by up to 0\.\d+\.$/,
    count: { '#flow .card.lost': 1, [alike]: 1 },
  },
  {
    name: 'C3',
    hash: at('C3'),
    says: /^explicit mask differs from attached mask by up to 0\.\d+\.$/,
    count: { [alike]: 1 },
  },
];
