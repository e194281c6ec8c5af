// SPDX-License-Identifier: MIT
// Every layer, op, text layer, scaler, regularizer, random function and export of maskflow/tags has
// an example in docs/examples, which prints what its end says.
import { port } from '../../dist/port.js';
import * as tags from '../../dist/tags.js';
import * as text from '../../dist/text.js';
// Examples of ops import from maskflow/train if other entries lack the op.
import { layers, ops, random, ready, regularizers } from '../../dist/train.js';
import { checkRoom } from '../support/doc_examples.js';

const start = () => ready({ seed: 1, onMaskDropped: 'warn' });
// Other names of a function need no example of their own.
const rooms = {
  layers: { ...layers, leakyRelu: undefined, prelu: undefined, relu: undefined },
  ops: { ...ops, var: undefined },
  port: { port },
  tags,
  text,
  random,
  regularizers,
  scalers: text.scalers,
};

for (const [room, names] of Object.entries(rooms)) {
  const required = Object.keys(names).filter((name) => names[name] !== undefined);
  checkRoom(room, required, start);
}
