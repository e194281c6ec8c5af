// SPDX-License-Identifier: MIT
import { padSequences, ready } from 'maskflow';
import { drawMask } from 'maskflow/draw';

await ready();
const ids = padSequences([[12, 7, 40, 3], [8], [5, 9, 21, 6, 33, 2]], { padding: 'post' });
const svg = drawMask(ids.withMask(ids.notEqual(0)));
console.log(/<desc>(.*)<\/desc>/.exec(svg)[1]);
// → 3 rows of 6 steps, 11 of 18 are data. Steps kept in each row: 4, 1, 6.
