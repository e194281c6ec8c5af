// SPDX-License-Identifier: MIT
// An error of user code that the core has dealt with does not keep the objects of its stack alive.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { collectGarbage } from '../support/garbage.js';

before(() => mf.ready());

/** A layer whose call fails on the made-up sizes of a graph, which the core continues after. */
class Late extends mf.Layer {
  inner = mf.layers.dense({ units: 2 });
  computeOutputShape(shape) {
    return shape;
  }
  call() {
    thrown = new WeakRef(new Error('not yet'));
    throw thrown.deref();
  }
}
let thrown;

test('an error of a trial that the core continues after can be collected', async () => {
  new Late().apply(mf.Input({ shape: [3] }));
  assert.match(String(thrown.deref()), /not yet/);
  await collectGarbage();
  assert.equal(thrown.deref(), undefined);
});

test('an error that the core reports is the one that was thrown', () => {
  assert.throws(
    () => new Late().apply(mf.tensor([[1, 2, 3]])),
    (error) => error === thrown.deref(),
  );
});

test('a thrown value may be no object', () => {
  class Odd extends mf.Layer {
    call() {
      throw 'odd';
    }
  }
  let caught;
  try {
    new Odd().apply(mf.tensor([[1]]));
  } catch (error) {
    caught = error;
  }
  assert.equal(caught, 'odd');
});
