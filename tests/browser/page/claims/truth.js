// SPDX-License-Identifier: MIT
const within = /the largest difference is (exactly 0|less than 0\.0{4,8}1)\./;

export const claims = [
  {
    name: 'brackets agree with the recording',
    hash: '#truth',
    says: new RegExp(
      `^20 recorded answers of Keras with 20 numbers, computed again in this page: ${within.source}`,
    ),
    count: { '#truth tbody tr': 20 },
  },
  {
    name: 'a sensor agrees',
    hash: '#v1/truth?truth.of=sensor',
    says: within,
  },
  {
    name: 'adding agrees, each digit of it',
    hash: '#v1/truth?truth.of=adding',
    says: new RegExp(`^20 recorded answers of Keras with 80 numbers.*${within.source}`),
  },
  {
    name: 'single layers agree',
    hash: '#truth',
    set: { of: 'layers' },
    says: new RegExp(`^24 recorded cases of Keras.*${within.source}`),
    count: { '#truth tbody tr': 24 },
  },
];
