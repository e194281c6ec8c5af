// SPDX-License-Identifier: MIT
const half =
  /^With 50 % of the steps kept, (the batch takes \d|the difference is within the noise).*\. It needs 50 % of the multiply-adds\.$/;

export const claims = [
  {
    name: 'an invitation before the first measurement',
    hash: '#v1/cost?cost.rows=8&cost.code=x',
    says: /^Press Measure: it takes about a second\.$/,
    count: { '#cost [data-slot="table"] tr': 0 },
  },
  {
    name: 'half of an LSTM’s steps',
    hash: '#v1/cost?cost.rows=8',
    click: '#cost [data-run="run"]',
    says: half,
    count: { '#cost [data-slot="table"] tbody tr': 10, '#cost .chart .line': 3 },
  },
  {
    name: 'a tenth of the steps, scattered',
    hash: '#v1/cost?cost.rows=8&cost.layer=gru&cost.where=holes&cost.share=10',
    click: '#cost [data-run="run"]',
    says: /^With 10 % of the steps kept,.*It needs 10 % of the multiply-adds\.$/,
  },
];
