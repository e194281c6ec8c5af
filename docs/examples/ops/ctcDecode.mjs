// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const scores = [[[0, 9, 1], [0, 9, 1], [9, 0, 1], [0, 1, 9]]]; // 0 is the blank
const [labels] = ops.ctcDecode(scores, [4]);
console.log(String(labels));
const [paths, logs] = ops.ctcDecode(scores, [4], { strategy: 'beam_search', topPaths: 2 });
console.log(JSON.stringify(paths), logs.array()[0].map((log) => log.toFixed(3)).join());
// → [[[ 1  2 -1 -1]]]
// → shape (1, 1, 4), int32
// → [[[1,2,-1,-1]],[[2,1,2,-1]]] -0.001,-8.001
