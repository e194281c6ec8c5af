// SPDX-License-Identifier: MIT
// Every loss, metric, optimizer, schedule, constraint and callback has an example in docs/examples/training, and each
// prints what stands behind it.
import {
  callbacks,
  constraints,
  losses,
  metrics,
  optimizers,
  ready,
  schedules,
} from '../../dist/train.js';
import { checkRoom } from '../support/doc_examples.js';

const before = () => ready({ seed: 1, onMaskDropped: 'warn' });
const helpers = new Set(['deserialize', 'get', 'serialize']);
// Metrics that are losses, too, have their example there.
const measured = Object.keys(metrics).filter((name) => !(name in losses));
const shared = ['cosineSimilarity', 'meanSquaredError'];

const rooms = {
  losses: Object.keys(losses),
  metrics: [...measured, ...shared],
  optimizers: Object.keys(optimizers).filter((name) => !helpers.has(name)),
  schedules: Object.keys(schedules),
  constraints: Object.keys(constraints),
  callbacks: Object.keys(callbacks),
};

for (const [room, needed] of Object.entries(rooms)) {
  checkRoom(`training/${room}`, needed, before);
}
