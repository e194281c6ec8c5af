// SPDX-License-Identifier: MIT
// Calls without arguments or with wrong ones, which random calls found. Each is a typed error that
// says what to pass.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { cpuTime } from '../support/cpu_time.js';

await mf.ready({ onMaskDropped: 'silent' });

function compiled() {
  const model = new mf.Sequential([mf.Input({ shape: [3] }), mf.layers.dense({ units: 1 })]);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  return model;
}

suite('wrong arguments of methods', () => {
  for (const value of [undefined, null]) {
    test(`checkPadding(${value}) says what inputs are`, async () => {
      const model = new mf.Sequential([mf.layers.lstm({ units: 2 })]);
      await assert.rejects(model.checkPadding(value), {
        name: 'ValueError',
        message: /must be a tensor or an array/,
      });
      model.dispose();
    });
  }

  test('trainStep() and testStep() say what the data are', () => {
    const model = compiled();
    assert.throws(() => model.trainStep(), /data of trainStep\(\) is undefined .*\[x, y, sampleWe/);
    assert.throws(() => model.testStep({}), /data of testStep\(\) is an object .*\[x, y, sampleWe/);
    model.dispose();
  });

  test('metrics that are replaced by another value are refused by name', () => {
    for (const metrics of [undefined, 5, [5], [null], new Array(2)]) {
      const model = compiled();
      model.metrics = metrics;
      assert.throws(() => model.getMetricsResult(), { name: 'ValueError', message: /metrics/ });
      model.dispose();
    }
  });

  test('a salt with holes is refused', async () => {
    const { Hashing } = await import('../../dist/text.js');
    const salt = new Array(2);
    salt[1] = 2;
    assert.throws(() => new Hashing({ numBins: 4, salt }), { message: /salt is a list/ });
  });

  test('a text in place of the settings of a metric is refused at once', () => {
    const start = cpuTime();
    for (const name of Object.keys(mf.metrics)) {
      assert.throws(() => mf.metrics[name]('a'.repeat(1e5)), { message: /must be an object/ });
    }
    assert.ok(cpuTime() - start < 3000);
  });
});
