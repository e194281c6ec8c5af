// SPDX-License-Identifier: MIT
import { ready } from 'maskflow/train';
import { EntityF1 } from 'maskflow/tags';

await ready();
const metric = new EntityF1({ names: ['O', 'B-PER', 'I-PER'], scheme: 'bio' });
metric.updateState([[1, 2, 0]], [[1, 2, 0]]); // for compile: metrics: [metric]
metric.updateState([[1, 2, 0]], [[1, 0, 0]]);
console.log(metric.result());
console.log(metric.scores.types.PER.support);
// → 0.5
// → 2
