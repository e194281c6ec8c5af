// SPDX-License-Identifier: MIT
const family = encodeURIComponent('Hello 👨‍👩‍👧 world');

export const claims = [
  {
    name: 'the guide’s batch',
    hash: '#v1/padding',
    says: /^4 of 18 cells are padding \(22 %\)\. The mask is F at each of them\.$/,
    count: { '#padding .grid td.masked': 4, '#padding .grid tbody td': 18 },
  },
  {
    name: 'maxlen 4 cuts words off',
    hash: '#v1/padding?padding.maxlen=4',
    says: /^1 of 12 cells is padding \(8 %\)\..* Cut off: row 1 lost “.How.”; row 2 lost “.The weather.”\.$/,
  },
  {
    name: 'a value of 0.5 becomes 0',
    hash: '#v1/padding?padding.value=0.5',
    says: /The mask is F at each of them\. Ids are integers: the value 0\.5 became 0\.$/,
    count: { '#padding .grid td.masked': 4 },
  },
  {
    name: 'a value of −1 is read as words',
    hash: '#v1/padding?padding.value=-1',
    says: /The mask is T there: a model treats that padding as words\.$/,
    count: { '#padding .grid td.masked': 0 },
  },
  {
    name: 'int32 refuses NaN',
    hash: '#v1/padding?padding.value=NaN',
    says: /The mask is T there.*the value NaN is outside the range of int32.*this batch is float32/,
  },
  {
    name: 'a family is one token',
    hash: `#v1/padding?padding.text=${family}`,
    says: /^None of the 3 cells is padding\.$/,
    count: { '#padding .grid tbody td': 3 },
  },
];
