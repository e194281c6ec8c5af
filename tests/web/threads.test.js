// SPDX-License-Identifier: MIT
// ready({ threads }): the number of threads, the life of helpers, and what happens without them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import '../support/relaxed.js';
import { arrived, living, started } from '../support/watched_threads.js';
import { fresh } from '../support/fresh.js';
import { computedBytes } from '../support/marked_wasm.js';
import { runNode } from '../support/programs.js';
import { relaxedFlag } from '../../scripts/lib/relaxed-flag.mjs';
import * as mf from '../../dist/index.js';
import { openPool, openWorker } from '../../dist/worker.js';

const flags = relaxedFlag(process.execPath);
/** Runs a program in a process of its own, with relaxed SIMD. */
const program = (body, env = '') => fresh(`${env}\n${body}`, { flags });

const createModel = () =>
  new mf.Sequential([
    mf.Input({ shape: [20, 16] }),
    mf.layers.lstm({ units: 64, kernelInitializer: 'ones' }),
  ]);
const data = Float32Array.from({ length: 32 * 20 * 16 }, (_, i) => Math.sin(i) / 10);
const predict = (model) => {
  const x = mf.tensor(data, { shape: [32, 20, 16] });
  return model.predict(x, { batchSize: 0 }).data();
};

await mf.ready({ threads: 3, seed: 1 });

test('two helpers are started for three threads', () => {
  const { threads, threadsReason, variant } = mf.runtimeInfo();
  assert.deepEqual([threads, threadsReason, variant], [3, null, 'relaxed']);
  assert.equal(living().length, 2);
});

suite('a later call of ready()', () => {
  test('may repeat the number, or leave it open', async () => {
    for (const threads of [3, 'auto', undefined]) await mf.ready({ threads });
    assert.equal(started.length, 2);
  });
  test('cannot change the number', async () => {
    for (const threads of [1, 2, 4]) {
      await assert.rejects(mf.ready({ threads }), {
        name: 'StateError',
        message: `the module was started with threads 3; choose ${threads} in the first call of ready()`,
      });
    }
  });
  test('refuses what is not a number of threads', async () => {
    for (const threads of [0, -1, 1.5, 65, Number.NaN, '2', null, [2], 'all']) {
      await assert.rejects(mf.ready({ threads }), {
        name: 'ValueError',
        message: /^threads is .* but must be 'auto' or an integer from 1 to 64$/,
      });
    }
  });
});

suite('a Bidirectional whose cell calls a layer', () => {
  const { layers } = mf;
  /** A cell that returns its state, which begins as twice the output of a layer. */
  class Doubling extends mf.Layer {
    static other = null;
    stateSize = 64;
    inner = layers.lstm({ units: 64 });
    call(_, { states: [state] }) {
      return [state, [state]];
    }
    getInitialState() {
      return [mf.ops.multiply((Doubling.other ?? this.inner).apply(input()), 2)];
    }
  }
  mf.registerLayer(Doubling);
  const input = () => mf.tensor(data, { shape: [32, 20, 16] });
  const create = () => {
    const layer = layers.lstm({ units: 64 });
    const backwardLayer = layers.rnn({ cell: new Doubling(), goBackwards: true });
    return layers.bidirectional({ layer, backwardLayer, mergeMode: null });
  };

  test('reads the numbers of that layer', () => {
    const both = create();
    const [, backward] = both.apply(input());
    const { inner } = both.backwardLayer.cell;
    assert.deepEqual(backward.data(), mf.ops.multiply(inner.apply(input()), 2).data());
  });

  test('may call its forward layer', () => {
    const both = create();
    both.build([32, 20, 16]);
    Doubling.other = both.forwardLayer;
    const [forward, backward] = both.apply(input());
    assert.deepEqual(forward.data(), both.forwardLayer.apply(input()).data());
    assert.deepEqual(backward.data(), mf.ops.multiply(forward, 2).data());
  });
});

suite('a helper that ends', () => {
  test('ends the instance, and restart() works', async () => {
    const model = createModel();
    const expected = predict(model);
    await arrived();
    await living()[1].terminate();
    const dead = { name: 'StateError', message: /dead: a helper ended.*restart\(\)/ };
    assert.throws(() => predict(model), dead);
    assert.throws(() => mf.tensor([1]), dead);
    await mf.restart();
    await arrived();
    assert.equal(mf.runtimeInfo().threads, 3);
    assert.equal(living().length, 2);
    assert.equal(expected.length, predict(createModel()).length);
  });
});

test('a helper that ends before it arrives leaves one thread, and says so', async () => {
  await mf.restart();
  const expected = predict(createModel());
  await started.at(-1).terminate();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(mf.runtimeInfo().threads, 1);
  assert.match(mf.runtimeInfo().threadsReason, /^the helpers cannot be started \(exit code \d\)/);
  assert.equal(predict(createModel()).length, expected.length);
  await mf.restart();
  await arrived();
  assert.equal(mf.runtimeInfo().threads, 3);
});

test('thirty restarts leave only the helpers of the last one', async () => {
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 30; i++) {
    await mf.restart();
    predict(createModel());
  }
  await arrived();
  assert.equal(living().length, 2);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 200e6, `the process has grown by ${grown} bytes`);
});

test('text with many characters crosses the shared memory', () => {
  const name = `${'ä'.repeat(40)}_layer`;
  const model = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 1, name })]);
  assert.equal(model.layers[0].name, name);
  assert.throws(() => mf.layers.dense({ units: 'x'.repeat(50) }), /x{20}/);
});

test('memory grows, and tensors are read from the grown memory', () => {
  const size = 40e6;
  const large = mf.tensor(new Float32Array(size).fill(2), { shape: [size] });
  assert.ok(mf.memory().heapBytes > 160e6);
  assert.equal(mf.ops.add(large, 1).data()[size - 1], 3);
  large.dispose();
});

suite('without helpers', () => {
  test('one thread computes, a warning is printed once, and the reason names the remedy', () => {
    const reasons = program(
      `for (let i = 0; i < 2; i++) await mf.ready({ threads: 4 });
      await mf.restart();
      const { threads, threadsReason } = mf.runtimeInfo();
      say([threads, threadsReason, warnings]);`,
      `delete globalThis.SharedArrayBuffer;
      const warnings = [];
      console.warn = (text) => warnings.push(text);`,
    );
    const [[threads, reason, warnings]] = reasons;
    assert.deepEqual([threads, reason], [1, 'this engine has no shared memory']);
    assert.deepEqual(warnings, [`maskflow computes in one thread instead of 4: ${reason}`]);
  });

  test('on a page that is not isolated, the reason names the headers to send', () => {
    const [[threads, reason, warnings]] = program(
      `await mf.ready({ threads: 'auto' });
      const { threads, threadsReason } = mf.runtimeInfo();
      say([threads, threadsReason, warnings]);`,
      `delete globalThis.SharedArrayBuffer;
      process.getBuiltinModule('node:os').availableParallelism = () => 2;
      globalThis.crossOriginIsolated = false;
      let warnings = 0;
      console.warn = () => warnings++;`,
    );
    assert.deepEqual([threads, warnings], [1, 0]);
    for (const header of [
      'Cross-Origin-Opener-Policy: same-origin',
      'Cross-Origin-Embedder-Policy: require-corp',
      'Document-Isolation-Policy',
    ]) {
      assert.ok(reason.includes(header), reason);
    }
  });

  test('helpers that cannot be started are no error', () => {
    const [[threads, reason]] = program(
      `await mf.ready({ threads: 2 });
      const { threads, threadsReason } = mf.runtimeInfo();
      say([threads, threadsReason]);
      say(mf.ops.add([1, 2], 1).array());`,
      `process.getBuiltinModule('node:worker_threads').Worker = class {
        constructor() { throw new Error('not here'); }
      };
      console.warn = () => {};`,
    );
    assert.equal(threads, 1);
    assert.match(reason, /^the helpers cannot be started \(not here\); .*worker-src blob:/);
  });

  test('helpers are not late because the program computes', () => {
    const [threads] = program(
      `await mf.ready({ threads: 2 });
      const end = Date.now() + 2500;
      while (Date.now() < end);
      await new Promise((resolve) => wait(resolve, 1000));
      say(mf.runtimeInfo().threads);`,
      // Two seconds of patience in place of ten.
      `const wait = globalThis.setTimeout;
      globalThis.setTimeout = (f, time) => wait(f, time / 5);`,
    );
    assert.equal(threads, 2);
  });

  test('a script without that wasm has one thread, and says so', () => {
    const [[variant, threads, reason]] = program(
      `const single = await import('${new URL('../../dist/single.js', import.meta.url)}');
      await single.ready({ threads: 2 });
      const { variant, threads, threadsReason } = single.runtimeInfo();
      say([variant, threads, threadsReason]);`,
      'console.warn = () => {};',
    );
    assert.deepEqual([variant, threads], ['simd', 1]);
    assert.match(reason, /^this script has only the variant 'simd' .*import maskflow as a module$/);
  });
});

suite("the variant 'simd'", () => {
  const facts = `const { variant, threads, threadsReason } = mf.runtimeInfo();
    say([variant, threads, threadsReason]);`;
  test('has threads', () => {
    const [[variant, threads, reason], sum] = program(
      `await mf.ready({ threads: 2, variant: 'simd' });
      ${facts}
      say(mf.ops.add([1, 2], 1).array());`,
    );
    assert.deepEqual([variant, threads, reason], ['simd', 2, null]);
    assert.deepEqual(sum, [2, 3]);
  });
  test('has threads in an engine without relaxed SIMD', () => {
    const [running] = program(
      `await mf.ready({ threads: 2 });
      ${facts}`,
      `const { validate } = WebAssembly;
      WebAssembly.validate = (bytes) => !Buffer.from(bytes).includes(Buffer.from([253, 133, 2])) && validate(bytes);`,
    );
    assert.deepEqual(running, ['simd', 2, null]);
  });
  test('has threads in workers, which receive the module', () => {
    const [info] = program(
      `const { openWorker } = await import('${new URL('../../dist/worker.js', import.meta.url)}');
      const worker = await openWorker({ threads: 2, variant: 'simd' });
      const { variant, threads, threadsReason } = worker.runtimeInfo;
      say([variant, threads, threadsReason]);
      worker.close();`,
    );
    assert.deepEqual(info, ['simd', 2, null]);
  });
});

suite('MASKFLOW_THREADS', () => {
  const withVariable = (value, options = '') =>
    program(
      `await mf.ready(${options}).then(
        () => say(mf.runtimeInfo().threads),
        ({ name, message }) => say([name, message]));`,
      `process.env.MASKFLOW_THREADS = ${JSON.stringify(value)};
      process.getBuiltinModule('node:os').availableParallelism = () => 3;`,
    )[0];
  test('sets the number where the program does not', () => {
    assert.equal(withVariable('2'), 2);
    assert.equal(withVariable('auto'), 3);
    assert.equal(withVariable(''), 1);
    assert.equal(withVariable('2', '{ threads: 1 }'), 1);
  });
  test('is checked', () => {
    const [name, message] = withVariable('many');
    assert.equal(name, 'ValueError');
    assert.match(message, /^MASKFLOW_THREADS is NaN but must be 'auto' or an integer/);
  });
});

suite('wasm that is passed', () => {
  const file = (variant) => `new URL('../../dist/maskflow-${variant}.wasm', '${import.meta.url}')`;
  const factsWith = (wasm, threads) =>
    program(
      `await mf.ready({ wasm: ${wasm}, threads: ${threads} });
      const { variant, threads, threadsReason } = mf.runtimeInfo();
      say([variant, threads, threadsReason]);
      say(mf.ops.add([1, 2], 1).array());`,
      'console.warn = () => {};',
    );
  test('may contain the variant for threads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-threads-'));
    try {
      const path = join(folder, 'threads.wasm');
      writeFileSync(path, await computedBytes('threads', 'relaxed'));
      const threads = `new URL('${pathToFileURL(path)}')`;
      const all = `{ simd: ${file('simd')}, relaxed: ${file('relaxed')}, threads: ${threads} }`;
      assert.deepEqual(factsWith(all, 2), [
        ['relaxed', 2, null],
        [2, 3],
      ]);
      assert.deepEqual(factsWith(threads, 2)[0], ['relaxed', 2, null]);
      assert.deepEqual(factsWith(threads, 1), [
        ['relaxed', 1, null],
        [2, 3],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  test('may be that of simd for threads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-threads-'));
    try {
      const path = join(folder, 'simd_threads.wasm');
      writeFileSync(path, await computedBytes('simd_threads', 'threads', 'relaxed'));
      const start = (options) =>
        program(
          `await mf.ready({ wasm: new URL('${pathToFileURL(path)}'), threads: 2, ${options} }).then(
            () => say([mf.runtimeInfo().variant, mf.runtimeInfo().threads]),
            ({ name, message }) => say([name, message]));`,
        )[0];
      assert.deepEqual(start("variant: 'simd'"), ['simd', 2]);
      const [name, message] = start('');
      assert.equal(name, 'UnsupportedError');
      assert.match(
        message,
        /^the variant 'simd_threads' cannot run: it is not that of 'relaxed'; /,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  test('is enough for several threads as that of relaxed', () => {
    assert.deepEqual(factsWith(`{ relaxed: ${file('relaxed')} }`, 2)[0], ['relaxed', 2, null]);
  });
  test('without that variant, the one of the package is used', () => {
    const two = `{ simd: ${file('simd')}, relaxed: ${file('relaxed')} }`;
    assert.deepEqual(factsWith(two, 2)[0], ['relaxed', 2, null]);
  });
  test('of another variant has one thread', () => {
    const [[variant, threads, reason]] = factsWith(file('relaxed'), 2);
    assert.deepEqual([variant, threads], ['relaxed', 1]);
    assert.match(reason, /^the wasm that was passed has one thread; pass it as \{ relaxed \}/);
  });
});

suite('programs', () => {
  test('end while helpers are idle', () => {
    const begin = performance.now();
    const output = runNode([
      ...flags,
      '--input-type=module',
      '-e',
      `import * as mf from '${new URL('../../dist/index.js', import.meta.url)}';
      await mf.ready({ threads: 4 });
      console.log(mf.runtimeInfo().threads);`,
    ]);
    assert.equal(String(output.stdout ?? output).trim(), '4');
    assert.ok(performance.now() - begin < 20_000);
  });
  test('can abort a start, and start again', () => {
    const [reasons, threads] = program(`
      const reasons = [];
      for (const wait of [0, 1, 5, 10, 20, 40]) {
        const control = new AbortController();
        const starting = mf.ready({ threads: 3, signal: control.signal });
        setTimeout(() => control.abort('enough'), wait);
        const result = await starting.then(() => 'ready', (reason) => reason);
        reasons.push(result);
        if (result === 'ready') break;
      }
      say(reasons);
      await mf.ready({ threads: 3 });
      say(mf.runtimeInfo().threads);
      mf.ops.add([1, 2], 1);`);
    assert.equal(threads, 3);
    assert.ok(reasons.every((reason) => reason === 'enough' || reason === 'ready'));
  });
  test('are limited by maxBytes', () => {
    const [grown, message] = program(`
      await mf.ready({ threads: 2, maxBytes: 50e6 });
      const x = mf.tensor(new Float32Array(1e7), { shape: [1e7] });
      say(mf.memory().heapBytes < 200e6);
      try { mf.ops.add(x, 1); say('no error'); } catch (error) { say(error.message); }`);
    assert.equal(grown, true);
    assert.match(message, /maxBytes/);
  });
});

suite('in workers', () => {
  const opened = [];
  after(() => opened.forEach((each) => void each.close()));

  test('openWorker({ threads }) computes in several threads', async () => {
    const model = createModel();
    const expected = predict(model);
    const worker = await openWorker({ threads: 2 });
    opened.push(worker);
    assert.deepEqual([worker.runtimeInfo.threads, worker.runtimeInfo.threadsReason], [2, null]);
    const remote = await worker.loadModel(await model.save());
    const result = await remote.predict({ data, shape: [32, 20, 16] }, { batchSize: 0 });
    assert.deepEqual(result.data(), expected);
  });

  test('openPool({ threads }) has threads in each worker', async () => {
    const pool = await openPool({ size: 2, threads: 2 });
    opened.push(pool);
    const model = createModel();
    const remote = await pool.loadModel(await model.save());
    const result = await remote.predict({ data, shape: [32, 20, 16] });
    assert.deepEqual(result.data(), predict(model));
  });

  test('a worker that closes ends its helpers', async () => {
    const script = `
      import { openWorker } from '${new URL('../../dist/worker.js', import.meta.url)}';
      for (let i = 0; i < 5; i++) (await openWorker({ threads: 3 })).close();
      console.log('done');`;
    const output = runNode([...flags, '--input-type=module', '-e', script]);
    assert.equal(String(output.stdout ?? output).trim(), 'done');
  });
});
