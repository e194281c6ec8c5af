// SPDX-License-Identifier: MIT
const at = (settings) => `#v1/stream?${new URLSearchParams(settings)}`;

export const claims = [
  {
    name: 'an open bracket',
    hash: '#v1/stream',
    says: /^After 5 steps the model says “not all closed” \(<?0\.\d+\)\. A step took [\d.]+ µs \(median of \d+\)\.$/,
    count: { '#stream .tokens .cell': 5, '#stream .tokens .cell.kept': 1 },
  },
  {
    name: 'all brackets are closed',
    hash: at({ 'stream.text': '()([])' }),
    says: /^After 6 steps the model says “all closed” \((>?0\.9\d+|1\.0000)\)\./,
    count: { '#stream .tokens .cell.kept': 2 },
  },
  {
    name: 'a second stream continues from the saved state',
    hash: at({ 'stream.saved': '2' }),
    says: /The second stream, restored from the state after 2 steps, answers with a largest difference of exactly 0\.$/,
    count: { '#stream pre.state': 1 },
  },
  {
    name: 'a missing reading changes nothing',
    hash: at({ 'stream.model': 'sensor', 'stream.readings': '27,39,51,x' }),
    says: /^After 4 steps the model expects −?[\d.]+ at step 48\. The last step was missing and masked: it changed the answer by exactly 0\./,
    count: { '#stream .chart .span': 1 },
  },
  {
    name: 'the model of chapter 0 cannot stream',
    hash: at({ 'stream.model': 'brackets' }),
    says: /^The model of chapter 0 reads each row in both directions.*The error of the package: “.*[Bb]idirectional/,
    count: { '#stream .chart': 0 },
  },
];
