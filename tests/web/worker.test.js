// SPDX-License-Identifier: MIT
// A worker in Node: the same numbers, masks and errors as on the main thread, which stays free meanwhile.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { setImmediate as nextTask, setTimeout } from 'node:timers/promises';
import * as mf from '../../dist/index.js';
import * as threads from '../../dist/worker.js';
import { decode, readFixture, worstError } from '../support/golden.js';
import {
  brackets,
  classifier,
  fragile,
  fragileFile,
  ragged,
  recordedInputs,
} from '../support/workers.js';
import { runModule } from '../support/programs.js';

const { openWorker } = threads;
const models = readFixture('models/index.json').models;
const fixture = (name) => new URL(`../fixtures/models/${name}`, import.meta.url);
const list = (value) => (Array.isArray(value) ? value : Object.values(value));
const outputsOf = (made) => (made instanceof threads.WorkerTensor ? [made] : list(made));

function compare(made, recorded) {
  const wanted = list(recorded).map(decode);
  assert.equal(made.length, wanted.length);
  for (const [i, { shape, values }] of wanted.entries()) {
    assert.deepEqual(made[i].shape, shape);
    assert.equal(made[i].mask, null);
    const error = worstError(made[i].data(), values);
    assert.ok(error <= 1e-5, `output ${i} differs by ${error}`);
  }
}

/** `Symbol.dispose` of `held` once `run` is done; Node 20 has no `using`. */
async function using(held, run) {
  const there = await held;
  try {
    return await run(there);
  } finally {
    there[Symbol.dispose]();
  }
}

suite('a worker', () => {
  let worker;
  before(async () => {
    await mf.ready();
    worker = await openWorker({ onMaskDropped: 'silent' });
  });
  after(() => worker.close());

  test('says what runs in it', () => {
    const { variant, version, kerasSemantics } = mf.runtimeInfo();
    const there = worker.runtimeInfo;
    assert.deepEqual(
      [there.variant, there.version, there.kerasSemantics, there.layers, there.onMaskDropped],
      [variant, version, kerasSemantics, 'all', 'silent'],
    );
  });

  test('loads an architecture with weights from elsewhere', async () => {
    const json = JSON.parse(
      readFileSync(new URL('../fixtures/architectures/keras3.json', import.meta.url)),
    );
    const weights = new URL('../fixtures/architectures/keras3.weights.h5', import.meta.url);
    for (const architecture of [json.to_json, JSON.parse(json.to_json)]) {
      const model = await worker.loadModel(architecture, { weights });
      const made = await model.predict({
        data: Int32Array.from(json.inputs.flat()),
        shape: [3, 5],
        dtype: 'int32',
      });
      const wanted = json.outputs.flat();
      assert.ok(made.data().every((value, i) => Math.abs(value - wanted[i]) <= 1e-6));
      model.dispose();
    }
    const bare = [{ class_name: 'Dense', config: { units: 2, batch_input_shape: [null, 3] } }];
    const begun = await worker.loadModel(bare, { weights: null });
    assert.deepEqual((await begun.predict([[1, 2, 3]])).shape, [1, 2]);
    begun.dispose();
  });

  test('has the variant that is asked for', async () => {
    const options = { variant: 'simd', maskPropagation: 'keras-3.16' };
    await using(openWorker(options), ({ runtimeInfo: { variant, maskPropagation } }) =>
      assert.deepEqual({ variant, maskPropagation }, options),
    );
    await assert.rejects(openWorker({ variant: 'fast' }), mf.ValueError);
  });

  for (const { name, keras } of models) {
    test(`recorded model ${name}`, async () => {
      const { recorded, inputs } = recordedInputs('models', name);
      const model = await worker.loadModel(fixture(keras));
      try {
        const predict = async () => outputsOf(await model.predict(inputs));
        compare(await predict(), recorded.outputs);
        if (recorded.second_call_outputs) {
          compare(await predict(), recorded.second_call_outputs);
          await model.resetState();
          compare(await predict(), recorded.after_reset_outputs);
        }
        const shapes = model.weights.map(({ shape }) => String(shape)).sort();
        assert.deepEqual(shapes, recorded.weights.map(({ shape }) => String(shape)).sort());
      } finally {
        model.dispose();
      }
    });
  }

  test('gives all its memory back', async () => {
    const { tensors, bytes } = await worker.memory();
    assert.deepEqual([tensors, bytes], [0, 0]);
  });

  suite('one model, here and there', () => {
    let here;
    let there;
    before(async () => {
      const { model, file } = await classifier();
      here = model;
      there = await worker.loadModel(file);
    });
    after(() => {
      here.dispose();
      there.dispose();
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
    const same = async (x, options) => {
      const shaped = (value) => (value?.data?.length ? mf.tensor(value.data, value) : value);
      const mine = here.predict(shaped(x), options);
      const its = await there.predict(x, options);
      assert.deepEqual([its.shape, its.dtype], [mine.shape, mine.dtype]);
      assert.deepEqual(its.data(), mine.data());
      mine.dispose();
    };

    test('nested arrays', () => same(ids));
    test('a typed array with its shape', () => same({ data: flat, shape: [3, 4] }));
    test('a part of a larger buffer', () =>
      same({ data: new Int32Array([7, ...flat, 7]).subarray(1, 13), shape: [3, 4] }));
    test('another dtype', () =>
      same({ data: Float32Array.from(flat), shape: [3, 4], dtype: 'int32' }));
    test('an explicit mask of nested booleans', () => same(ids, { mask: rows }));
    test('an explicit mask of bytes', () => same(ids, { mask: bytes }));
    test('batches', () => same(ids, { batchSize: 2 }));
    test('batches with a mask', () => same(ids, { batchSize: 2, mask: bytes }));
    test('all rows at once', () => same(ids, { batchSize: 0 }));
    test('many batches', () => same(ragged(150, 12)));

    test('a tensor of this thread, which stays alive', async () => {
      const x = mf.tensor(flat, { shape: [3, 4] });
      await same(x);
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
      const wanted = model.predict(masked).array();
      assert.notDeepEqual(wanted, model.predict(x).array());
      await using(worker.loadModel(await model.save()), async (other) => {
        assert.deepEqual((await other.predict(masked)).array(), wanted);
        assert.notDeepEqual((await other.predict(x)).array(), wanted);
      });
    });

    test('the input is not taken away', async () => {
      const data = Int32Array.from(flat);
      await there.predict({ data, shape: [3, 4] });
      assert.deepEqual(data, flat);
    });

    test('results become tensors of this thread', async () => {
      const made = await there.predict(ids);
      const tensor = made.toTensor();
      assert.ok(tensor instanceof mf.Tensor);
      assert.deepEqual(tensor.array(), made.array());
      assert.deepEqual([made.rank, made.size], [2, 6]);
      assert.throws(() => made.item(), mf.ShapeError);
      tensor.dispose();
    });

    test('facts, summary, weights, configuration', async () => {
      assert.deepEqual([there.name, there.countParams()], [here.name, here.countParams()]);
      // Cells are counted anew in each thread.
      const plain = ({ path, ...rest }) => ({ ...rest, path: path.replace(/_\d+\//g, '/') });
      assert.deepEqual(there.weights.map(plain), here.weights.map(plain));
      assert.deepEqual(there.inputs, [{ shape: [null, null], dtype: 'int32' }]);
      assert.deepEqual(there.outputs, [{ shape: [null, 2], dtype: 'float32' }]);
      assert.equal(await there.summary({ print: null }), here.summary({ print: null }));
      let printed;
      await there.summary({ print: (text) => (printed = text) });
      assert.match(printed, /Bidirectional/);
      assert.deepEqual(await there.toConfig(), JSON.parse(JSON.stringify(here)));
      const weights = await there.getWeights();
      assert.deepEqual(
        weights.map((weight) => weight.array()),
        here.getWeights().map((weight) => weight.array()),
      );
    });

    test('the way of the mask', async () => {
      const trace = await there.traceMasks(ids);
      assert.deepEqual(trace, here.traceMasks(ids));
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
      assert.deepEqual(await there.evaluate(ids, y, options), here.evaluate(ids, y, options));
      const own = there.evaluate(ids, y, { loss: () => 0 });
      await assert.rejects(own, /ValueError: loss is a function.*serve\(\)/);
    });

    test('files', async () => {
      const predicted = async (model) => [...(await model.predict(ids)).data()];
      const wanted = await predicted(there);
      await using(worker.loadModel(await there.save()), async (again) =>
        assert.deepEqual(await predicted(again), wanted),
      );
      const { model } = await classifier();
      const weights = await there.saveWeights();
      model.setWeights(model.weights.map(({ shape }) => mf.ops.zeros(shape)));
      await using(worker.loadModel(await model.save()), async (other) => {
        assert.notDeepEqual(await predicted(other), wanted);
        await other.loadWeights(weights);
        assert.deepEqual(await predicted(other), wanted);
      });
      model.dispose();
    });

    for (const [what, ask] of [
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
      test(`the same error: ${what}`, async () => {
        const before = await worker.memory();
        const mine = await Promise.resolve()
          .then(() => ask(here))
          .catch((error) => error);
        const its = await ask(there).catch((error) => error);
        assert.ok(mine instanceof mf.MaskflowError, String(mine));
        assert.equal(its.constructor, mine.constructor);
        assert.deepEqual([its.name, its.kind, its.message], [mine.name, mine.kind, mine.message]);
        assert.deepEqual(await worker.memory(), before);
      });
    }

    test('a call is cancelled between two batches', async () => {
      const x = ragged(4000, 60);
      const start = performance.now();
      await there.predict(x);
      const whole = performance.now() - start;
      const control = new AbortController();
      const reason = new Error('enough');
      const call = there.predict(x, { signal: control.signal });
      await nextTask();
      control.abort(reason);
      const from = performance.now();
      await assert.rejects(call, (error) => error === reason);
      assert.ok(performance.now() - from < whole / 4, 'the promise fails at once');
      await there.predict(ids);
      assert.ok(performance.now() - from < whole / 2, 'the worker soon does what is asked next');
      await assert.rejects(there.predict(x, { signal: control.signal }), (e) => e === reason);
    });

    test('the thread that asks stays free', async () => {
      const x = ragged(4000, 60);
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
      await there.predict(x);
      const whole = performance.now() - start;
      clearInterval(timer);
      assert.ok(ticks > 5 && longest < whole / 2, `${ticks} ticks, ${longest} of ${whole} ms`);
    });
  });

  test('takes a model from a path, bytes, a view, a Blob, files', async () => {
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

  test('tells how far a load is', async () => {
    const heard = [];
    const onProgress = (state) => heard.push(state);
    (await worker.loadModel(brackets, { onProgress })).dispose();
    const { loaded, total } = heard.at(-1);
    assert.ok(loaded > 0 && loaded === total);
  });

  test('stops a load at once, and keeps nothing of it', () =>
    using(openWorker(), async (fresh) => {
      const reason = new Error('gone');
      const load = (signal) => fresh.loadModel(brackets, { signal });
      const stopped = (error) => error === reason;
      await assert.rejects(load(AbortSignal.abort(reason)), stopped);
      for (const wait of [0, 1, 2, 4, 8]) {
        const control = new AbortController();
        const loading = load(control.signal);
        if (wait > 0) await setTimeout(wait);
        control.abort(reason);
        // It may have been done in time.
        if (wait > 0) await loading.then((model) => model.dispose()).catch(() => {});
        else await assert.rejects(loading, stopped);
      }
      // The worker comes to its end a little later.
      let left;
      for (let i = 0; i < 200 && left !== 0; i++) {
        await setTimeout(10);
        left = (await fresh.memory()).bytes;
      }
      assert.equal(left, 0);
    }));

  test('what is no model is said as on the main thread', async () => {
    for (const source of [new Uint8Array(5), '/none/such.keras', null, 5]) {
      const mine = await mf.loadModel(source).catch((error) => error);
      const its = await worker.loadModel(source).catch((error) => error);
      assert.ok(mine instanceof mf.MaskflowError, String(mine));
      assert.deepEqual([its.constructor, its.message], [mine.constructor, mine.message]);
    }
  });

  test('layers of your own need a worker of your own', async () => {
    const file = await fragileFile();
    await assert.rejects(worker.loadModel(file), /ConfigError: unknown layer.*Fragile.*serve\(\)/);
    const customObjects = { Fragile: class extends mf.Layer {} };
    await assert.rejects(worker.loadModel(file, { customObjects }), /ValueError: customObjects/);
    const own = await openWorker({ worker: fragile(1) });
    const model = await own.loadModel(file);
    assert.deepEqual((await model.predict([[3], [4]])).array(), [[6], [8]]);
    const broken = model.predict([[666]]);
    await assert.rejects(broken, (error) => {
      assert.ok(error instanceof threads.CrashError && error instanceof mf.StateError);
      return /CrashError: the worker ended with code 3; open another/.test(String(error));
    });
    await assert.rejects(model.predict([[1]]), threads.CrashError);
  });

  test('what is gone is said', async () => {
    const other = await openWorker();
    const model = await other.loadModel(brackets);
    const second = await other.loadModel(brackets);
    model.dispose();
    model.dispose();
    await assert.rejects(model.predict([[1]]), /StateError: this model was disposed of/);
    const running = second.predict([[1, 2]]);
    other.close();
    other.close();
    await assert.rejects(running, /StateError: the worker was closed/);
    await assert.rejects(other.loadModel(brackets), /StateError: the worker was closed/);
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
    const said = (first) => runModule(code(first), { timeout: 20_000 });
    const nowhere = /^UnsupportedError: this engine has no workers.*loadModel\(\) of 'maskflow'\n$/;
    assert.match(said(noThreads), nowhere);
    // workerd: its node:worker_threads starts nothing.
    assert.match(said(scope('ServiceWorkerGlobalScope')), nowhere);
    assert.match(
      said(scope('ServiceWorkerGlobalScope') + noThreads),
      /^UnsupportedError: a service worker cannot .*of 'maskflow\/single'\n$/,
    );
    assert.match(
      said(scope('SharedWorkerGlobalScope') + noThreads),
      /^UnsupportedError: a shared worker cannot .*of 'maskflow'\n$/,
    );
  });

  test('serve is for workers', () => {
    assert.throws(() => threads.serve(mf), /StateError: serve\(\) is for the script of a worker/);
  });

  test('an idle worker keeps no program from ending, a busy one does', () => {
    const code = `
      import { openWorker } from '${new URL('../../dist/worker.js', import.meta.url)}';
      const model = await (await openWorker()).loadModel('${brackets.pathname}');
      model.predict([[1, 2]]).then(({ shape }) => console.log(shape.join()));`;
    const said = runModule(code, { timeout: 20_000 });
    assert.equal(said, '1,1\n');
  });
});
