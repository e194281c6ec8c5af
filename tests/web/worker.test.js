// SPDX-License-Identifier: MIT
// A worker in Node has the results, masks and errors of the main thread, which stays responsive.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { setImmediate as nextTask, setTimeout } from 'node:timers/promises';
import * as mf from '../../dist/index.js';
import * as threads from '../../dist/worker.js';
import { decode, readFixture, worstError } from '../support/recorded_cases.js';
import {
  brackets,
  classifier,
  fragileWorkers,
  fragileFile,
  raggedIds,
  recordedInputs,
} from '../support/workers.js';
import { runModule } from '../support/programs.js';

const { openWorker } = threads;
const models = readFixture('models/index.json').models;
const fixture = (name) => new URL(`../fixtures/models/${name}`, import.meta.url);
const list = (value) => (Array.isArray(value) ? value : Object.values(value));
const outputsOf = (result) => (result instanceof threads.WorkerTensor ? [result] : list(result));

function compare(outputs, recording) {
  const expected = list(recording).map(decode);
  assert.equal(outputs.length, expected.length);
  for (const [i, { shape, values }] of expected.entries()) {
    assert.deepEqual(outputs[i].shape, shape);
    assert.equal(outputs[i].mask, null);
    const error = worstError(outputs[i].data(), values);
    assert.ok(error <= 1e-5, `output ${i} differs by ${error}`);
  }
}

/** Calls `Symbol.dispose` of `held` after `run`; Node 20 has no `using`. */
async function using(resource, run) {
  const disposable = await resource;
  try {
    return await run(disposable);
  } finally {
    disposable[Symbol.dispose]();
  }
}

suite('a worker', () => {
  let worker;
  before(async () => {
    await mf.ready();
    worker = await openWorker({ onMaskDropped: 'silent' });
  });
  after(() => worker.close());

  test('reports its runtime', () => {
    const { variant, version, kerasSemantics } = mf.runtimeInfo();
    const remoteInfo = worker.runtimeInfo;
    assert.deepEqual(
      [
        remoteInfo.variant,
        remoteInfo.version,
        remoteInfo.kerasSemantics,
        remoteInfo.layers,
        remoteInfo.onMaskDropped,
      ],
      [variant, version, kerasSemantics, 'all', 'silent'],
    );
  });

  test('loads an architecture with separate weights', async () => {
    const json = JSON.parse(
      readFileSync(new URL('../fixtures/architectures/keras3.json', import.meta.url)),
    );
    const weights = new URL('../fixtures/architectures/keras3.weights.h5', import.meta.url);
    for (const architecture of [json.to_json, JSON.parse(json.to_json)]) {
      const model = await worker.loadModel(architecture, { weights });
      const outputs = await model.predict({
        data: Int32Array.from(json.inputs.flat()),
        shape: [3, 5],
        dtype: 'int32',
      });
      const expected = json.outputs.flat();
      assert.ok(outputs.data().every((value, i) => Math.abs(value - expected[i]) <= 1e-6));
      model.dispose();
    }
    const bare = [{ class_name: 'Dense', config: { units: 2, batch_input_shape: [null, 3] } }];
    const begun = await worker.loadModel(bare, { weights: null });
    assert.deepEqual((await begun.predict([[1, 2, 3]])).shape, [1, 2]);
    begun.dispose();
  });

  test('runs the requested variant', async () => {
    const options = { variant: 'simd', maskPropagation: 'keras-3.16' };
    await using(openWorker(options), ({ runtimeInfo: { variant, maskPropagation } }) =>
      assert.deepEqual({ variant, maskPropagation }, options),
    );
    await assert.rejects(openWorker({ variant: 'fast' }), mf.ValueError);
  });

  for (const { name, keras } of models) {
    test(`equals the recorded results of ${name}`, async () => {
      const { recorded: recording, inputs } = recordedInputs('models', name);
      const model = await worker.loadModel(fixture(keras));
      try {
        const predict = async () => outputsOf(await model.predict(inputs));
        compare(await predict(), recording.outputs);
        if (recording.second_call_outputs) {
          compare(await predict(), recording.second_call_outputs);
          await model.resetState();
          compare(await predict(), recording.after_reset_outputs);
        }
        const shapes = model.weights.map(({ shape }) => String(shape)).sort();
        assert.deepEqual(shapes, recording.weights.map(({ shape }) => String(shape)).sort());
      } finally {
        model.dispose();
      }
    });
  }

  test('frees all its memory', async () => {
    const { tensors, bytes } = await worker.memory();
    assert.deepEqual([tensors, bytes], [0, 0]);
  });

  suite('one model, in this thread and in the worker', () => {
    let local;
    let remote;
    before(async () => {
      const { model, file } = await classifier();
      local = model;
      remote = await worker.loadModel(file);
    });
    after(() => {
      local.dispose();
      remote.dispose();
    });
    const ids = [
      [3, 1, 4, 0],
      [1, 5, 0, 0],
      [9, 2, 6, 5],
    ];
    const flat = Int32Array.from(ids.flat());
    const rows = [
      [true, true, false, true],
      [true, true, true, true],
      [false, false, false, true],
    ];
    const bytes = Uint8Array.from(rows.flat(), Number);
    const assertSame = async (x, options) => {
      const toInput = (value) => (value?.data?.length ? mf.tensor(value.data, value) : value);
      const expected = local.predict(toInput(x), options);
      const actual = await remote.predict(x, options);
      assert.deepEqual([actual.shape, actual.dtype], [expected.shape, expected.dtype]);
      assert.deepEqual(actual.data(), expected.data());
      expected.dispose();
    };

    test('nested arrays', () => assertSame(ids));
    test('a typed array with its shape', () => assertSame({ data: flat, shape: [3, 4] }));
    test('a view of a larger buffer', () =>
      assertSame({ data: new Int32Array([7, ...flat, 7]).subarray(1, 13), shape: [3, 4] }));
    test('another dtype', () =>
      assertSame({ data: Float32Array.from(flat), shape: [3, 4], dtype: 'int32' }));
    test('an explicit mask of nested booleans', () => assertSame(ids, { mask: rows }));
    test('an explicit mask of bytes', () => assertSame(ids, { mask: bytes }));
    test('batches', () => assertSame(ids, { batchSize: 2 }));
    test('batches with a mask', () => assertSame(ids, { batchSize: 2, mask: bytes }));
    test('all rows at once', () => assertSame(ids, { batchSize: 0 }));
    test('many batches', () => assertSame(raggedIds(150, 12)));

    test('a tensor of this thread, which stays usable', async () => {
      const x = mf.tensor(flat, { shape: [3, 4] });
      await assertSame(x);
      assert.equal(x.data()[0], 3);
      x.dispose();
    });

    test('a tensor with its mask', async () => {
      const model = new mf.Sequential([
        mf.Input({ shape: [null, 2] }),
        mf.layers.gru({ units: 3 }),
      ]);
      const x = mf.tensor([
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
      ]);
      const masked = x.withMask([[true, false, true]]);
      const expected = model.predict(masked).array();
      assert.notDeepEqual(expected, model.predict(x).array());
      await using(worker.loadModel(await model.save()), async (remoteModel) => {
        assert.deepEqual((await remoteModel.predict(masked)).array(), expected);
        assert.notDeepEqual((await remoteModel.predict(x)).array(), expected);
      });
    });

    test('the input is not transferred', async () => {
      const data = Int32Array.from(flat);
      await remote.predict({ data, shape: [3, 4] });
      assert.deepEqual(data, flat);
    });

    test('results can become tensors of this thread', async () => {
      const result = await remote.predict(ids);
      const tensor = result.toTensor();
      assert.ok(tensor instanceof mf.Tensor);
      assert.deepEqual(tensor.array(), result.array());
      assert.deepEqual([result.rank, result.size], [2, 6]);
      assert.throws(() => result.item(), mf.ShapeError);
      tensor.dispose();
    });

    test('name, summary, weights and config are the same', async () => {
      assert.deepEqual([remote.name, remote.countParams()], [local.name, local.countParams()]);
      // Each thread numbers its cells separately, so the numbers are left out of the comparison.
      const withoutNumbers = ({ path, ...rest }) => ({
        ...rest,
        path: path.replace(/_\d+\//g, '/'),
      });
      assert.deepEqual(remote.weights.map(withoutNumbers), local.weights.map(withoutNumbers));
      assert.deepEqual(remote.inputs, [{ shape: [null, null], dtype: 'int32' }]);
      assert.deepEqual(remote.outputs, [{ shape: [null, 2], dtype: 'float32' }]);
      assert.equal(await remote.summary({ print: null }), local.summary({ print: null }));
      let output;
      await remote.summary({ print: (text) => (output = text) });
      assert.match(output, /Bidirectional/);
      assert.deepEqual(await remote.toConfig(), JSON.parse(JSON.stringify(local)));
      const weights = await remote.getWeights();
      assert.deepEqual(
        weights.map((weight) => weight.array()),
        local.getWeights().map((weight) => weight.array()),
      );
    });

    test('traceMasks returns the same trace', async () => {
      const trace = await remote.traceMasks(ids);
      assert.deepEqual(trace, local.traceMasks(ids));
      assert.ok(trace.some(({ role }) => role === 'makes'));
    });

    test('evaluation', async () => {
      const options = {
        loss: 'sparse_categorical_crossentropy',
        metrics: ['accuracy'],
        sampleWeight: [1, 2, 3],
        batchSize: 2,
      };
      const y = [0, 1, 1];
      assert.deepEqual(await remote.evaluate(ids, y, options), local.evaluate(ids, y, options));
      const withFunction = remote.evaluate(ids, y, { loss: () => 0 });
      await assert.rejects(withFunction, /ValueError: loss is a function.*serve\(\)/);
    });

    test('files can be saved and loaded', async () => {
      const predict = async (model) => [...(await model.predict(ids)).data()];
      const expected = await predict(remote);
      await using(worker.loadModel(await remote.save()), async (copy) =>
        assert.deepEqual(await predict(copy), expected),
      );
      const { model } = await classifier();
      const weights = await remote.saveWeights();
      model.setWeights(model.weights.map(({ shape }) => mf.ops.zeros(shape)));
      await using(worker.loadModel(await model.save()), async (reloaded) => {
        assert.notDeepEqual(await predict(reloaded), expected);
        await reloaded.loadWeights(weights);
        assert.deepEqual(await predict(reloaded), expected);
      });
      model.dispose();
    });

    for (const [title, ask] of [
      ['ragged rows', (model) => model.predict([[1, 2], [3]])],
      ['no input', (model) => model.predict(undefined)],
      ['three dimensions', (model) => model.predict([[[1, 2]]])],
      ['a mask that does not fit', (model) => model.predict(ids, { mask: [[true, false]] })],
      ['a batch size', (model) => model.predict(ids, { batchSize: -1 })],
      ['a fraction of a row', (model) => model.predict(ids, { batchSize: 1.5 })],
      ['an id', (model) => model.predict([[1, 50]])],
      ['weights', (model) => model.loadWeights(new Uint8Array(10))],
      ['a loss', (model) => model.evaluate(ids, [0, 1, 1], { loss: 'none such' })],
    ]) {
      test(`throws the same error for ${title}`, async () => {
        const memoryBefore = await worker.memory();
        const localError = await Promise.resolve()
          .then(() => ask(local))
          .catch((error) => error);
        const its = await ask(remote).catch((error) => error);
        assert.ok(localError instanceof mf.MaskflowError, String(localError));
        assert.equal(its.constructor, localError.constructor);
        assert.deepEqual(
          [its.name, its.kind, its.message],
          [localError.name, localError.kind, localError.message],
        );
        assert.deepEqual(await worker.memory(), memoryBefore);
      });
    }

    test('a call can be aborted between two batches', async () => {
      const x = raggedIds(4000, 60);
      const start = performance.now();
      await remote.predict(x);
      const fullTime = performance.now() - start;
      const control = new AbortController();
      const reason = new Error('enough');
      const call = remote.predict(x, { signal: control.signal });
      await nextTask();
      control.abort(reason);
      const from = performance.now();
      await assert.rejects(call, (error) => error === reason);
      assert.ok(performance.now() - from < fullTime / 4, 'the promise fails at once');
      await remote.predict(ids);
      assert.ok(performance.now() - from < fullTime / 2, 'the worker soon runs the next call');
      await assert.rejects(remote.predict(x, { signal: control.signal }), (e) => e === reason);
    });

    test('the calling thread stays responsive', async () => {
      const x = raggedIds(4000, 60);
      let ticks = 0;
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        ticks++;
      }, 5);
      const start = performance.now();
      await remote.predict(x);
      const fullTime = performance.now() - start;
      clearInterval(timer);
      assert.ok(
        ticks > 5 && longest < fullTime / 2,
        `${ticks} ticks, ${longest} of ${fullTime} ms`,
      );
    });
  });

  test('loads a model from a path, bytes, a view, a Blob, files', async () => {
    const bytes = new Uint8Array(readFileSync(brackets));
    const larger = new Uint8Array(bytes.length + 100);
    larger.set(bytes, 50);
    const sources = [
      brackets,
      brackets.pathname,
      bytes,
      bytes.buffer,
      larger.subarray(50, 50 + bytes.length),
      readFileSync(brackets),
      new Blob([bytes]),
      new File([bytes], 'b.keras'),
      { files: [{ name: 'b.keras', data: bytes }] },
      [new File([bytes], 'b.keras')],
      new Response(bytes),
    ];
    for (const source of sources) {
      await using(worker.loadModel(source), (model) => assert.equal(model.countParams(), 3289));
    }
    assert.equal(bytes.length, readFileSync(brackets).length, 'the bytes stay');
  });

  test('reports the progress of a load', async () => {
    const reports = [];
    const onProgress = (state) => reports.push(state);
    (await worker.loadModel(brackets, { onProgress })).dispose();
    const { loaded, total } = reports.at(-1);
    assert.ok(loaded > 0 && loaded === total);
  });

  test('aborts a load at once, and frees its memory', () =>
    using(openWorker(), async (fresh) => {
      const reason = new Error('gone');
      const load = (signal) => fresh.loadModel(brackets, { signal });
      const isReason = (error) => error === reason;
      await assert.rejects(load(AbortSignal.abort(reason)), isReason);
      for (const wait of [0, 1, 2, 4, 8]) {
        const control = new AbortController();
        const loading = load(control.signal);
        if (wait > 0) await setTimeout(wait);
        control.abort(reason);
        // If the load finished before the abort, its model is disposed of.
        if (wait > 0) await loading.then((model) => model.dispose()).catch(() => {});
        else await assert.rejects(loading, isReason);
      }
      // The worker frees its memory a little later.
      let bytesInUse;
      for (let i = 0; i < 200 && bytesInUse !== 0; i++) {
        await setTimeout(10);
        bytesInUse = (await fresh.memory()).bytes;
      }
      assert.equal(bytesInUse, 0);
    }));

  test('an invalid model file causes the same error as on the main thread', async () => {
    for (const source of [new Uint8Array(5), '/none/such.keras', null, 5]) {
      const localError = await mf.loadModel(source).catch((error) => error);
      const remoteError = await worker.loadModel(source).catch((error) => error);
      assert.ok(localError instanceof mf.MaskflowError, String(localError));
      assert.deepEqual(
        [remoteError.constructor, remoteError.message],
        [localError.constructor, localError.message],
      );
    }
  });

  test('custom layers need a custom worker', async () => {
    const file = await fragileFile();
    await assert.rejects(worker.loadModel(file), /ConfigError: unknown layer.*Fragile.*serve\(\)/);
    const customObjects = { Fragile: class extends mf.Layer {} };
    await assert.rejects(worker.loadModel(file, { customObjects }), /ValueError: customObjects/);
    const customWorker = await openWorker({ worker: fragileWorkers(1) });
    const model = await customWorker.loadModel(file);
    assert.deepEqual((await model.predict([[3], [4]])).array(), [[6], [8]]);
    const crash = model.predict([[666]]);
    await assert.rejects(crash, (error) => {
      assert.ok(error instanceof threads.CrashError && error instanceof mf.StateError);
      return /CrashError: the worker ended with code 3; open another/.test(String(error));
    });
    await assert.rejects(model.predict([[1]]), threads.CrashError);
  });

  test('closed workers and disposed models refuse calls', async () => {
    const otherWorker = await openWorker();
    const model = await otherWorker.loadModel(brackets);
    const secondModel = await otherWorker.loadModel(brackets);
    model.dispose();
    model.dispose();
    await assert.rejects(model.predict([[1]]), /StateError: this model was disposed of/);
    const running = secondModel.predict([[1, 2]]);
    otherWorker.close();
    otherWorker.close();
    await assert.rejects(running, /StateError: the worker was closed/);
    await assert.rejects(otherWorker.loadModel(brackets), /StateError: the worker was closed/);
  });

  test('a worker that cannot start is an error', async () => {
    const worker = () => {
      throw new Error('no threads left');
    };
    await assert.rejects(openWorker({ worker }), /StateError: .*no threads left.*serve/);
  });

  test('an engine without workers is an error with a remedy', () => {
    const scope = (name) => `delete globalThis.Worker; globalThis.${name} = class {};`;
    const noThreads = 'process.getBuiltinModule = undefined;';
    const code = (first) => `${first}
      import { openWorker } from '${new URL('../../dist/worker.js', import.meta.url)}';
      openWorker().catch(({ name, message }) => console.log(name + ': ' + message));`;
    const outputOf = (first) => runModule(code(first), { timeout: 20_000 });
    const nowhere = /^UnsupportedError: this engine has no workers.*loadModel\(\) of 'maskflow'\n$/;
    assert.match(outputOf(noThreads), nowhere);
    // In workerd, node:worker_threads exists but cannot start a worker.
    assert.match(outputOf(scope('ServiceWorkerGlobalScope')), nowhere);
    assert.match(
      outputOf(scope('ServiceWorkerGlobalScope') + noThreads),
      /^UnsupportedError: a service worker cannot .*of 'maskflow\/single'\n$/,
    );
    assert.match(
      outputOf(scope('SharedWorkerGlobalScope') + noThreads),
      /^UnsupportedError: a shared worker cannot .*of 'maskflow'\n$/,
    );
  });

  test('serve() works only in workers', () => {
    assert.throws(() => threads.serve(mf), /StateError: serve\(\) works only in a worker/);
  });

  test('an idle worker lets the program end, a busy one does not', () => {
    const code = `
      import { openWorker } from '${new URL('../../dist/worker.js', import.meta.url)}';
      const model = await (await openWorker()).loadModel('${brackets.pathname}');
      model.predict([[1, 2]]).then(({ shape }) => console.log(shape.join()));`;
    const output = runModule(code, { timeout: 20_000 });
    assert.equal(output, '1,1\n');
  });
});
