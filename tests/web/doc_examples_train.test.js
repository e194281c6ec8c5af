// SPDX-License-Identifier: MIT
// Every loss, metric, optimizer, schedule, constraint and callback has an example in
// docs/examples/training, which prints what its end says.
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

const start = () => ready({ seed: 1, onMaskDropped: 'warn' });
const helpers = new Set(['deserialize', 'get', 'serialize']);
// Metrics that are also losses have their example with the losses.
const metricNames = Object.keys(metrics).filter((name) => !(name in losses));
const shared = ['cosineSimilarity', 'meanSquaredError'];

const rooms = {
  losses: Object.keys(losses),
  metrics: [...metricNames, ...shared],
  optimizers: Object.keys(optimizers).filter((name) => !helpers.has(name)),
  schedules: Object.keys(schedules),
  constraints: Object.keys(constraints),
  callbacks: Object.keys(callbacks),
};

for (const [room, required] of Object.entries(rooms)) {
  checkRoom(`training/${room}`, required, start);
}
