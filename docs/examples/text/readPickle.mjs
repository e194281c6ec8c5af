// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { readPickle } from 'maskflow/text';

await ready();
// pickle.dumps({'mean': 2.5, 'words': ['a', 'b']}, protocol=0) of Python
const pickled = '(dp0\nVmean\np1\nF2.5\nsVwords\np2\n(lp3\nVa\np4\naVb\np5\nas.';
const bytes = new TextEncoder().encode(pickled);
const value = await readPickle(bytes);
console.log(JSON.stringify(value));
// → {"mean":2.5,"words":["a","b"]}
