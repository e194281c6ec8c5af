// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { HashedCrossing } from 'maskflow/text';

await ready();
// One bin for each combination of a city and an hour
const both = new HashedCrossing({ numBins: 100 });
console.log(String(both.apply([['Oslo', 'Oslo', 'Rome'], [8, 9, 8]])));
// → [55  5 70]
// → shape (3), int32
