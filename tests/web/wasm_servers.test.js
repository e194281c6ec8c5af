// SPDX-License-Identifier: MIT
// ready({ wasm }) with servers that fail, lie or never end throws a typed error that names the
// address, within limits; a signal aborts it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import * as mf from '../../dist/index.js';
import { openPool, openWorker } from '../../dist/worker.js';
import { entry } from '../support/fresh.js';
import { lyingServer } from '../support/lying_server.js';
import { bytesOf } from '../support/marked_wasm.js';
import { generator, pick } from '../support/random.js';

const server = await lyingServer();
after(() => server.close());

const wasm = bytesOf('simd');
const type = 'application/wasm';
const kMax = 2 ** 26;
/**
 * The head of a module whose custom section claims to be a gigabyte, so that an engine keeps
 * reading.
 */
const kGigabyte = [0x80, 0x80, 0x80, 0x80, 4];
const endlessModule = Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 0, ...kGigabyte, 1, 97]);
const bomb = gzipSync(Buffer.concat([endlessModule, Buffer.alloc(2 ** 28)]));

const answers = {
  'not found': [{ status: 404 }, 'StateError', /404/],
  'an error with the right wasm': [{ status: 500, type, body: wasm }, 'StateError', /500/],
  'an endless error': [{ status: 403, type, end: 'endless' }, 'StateError', /403/],
  'no content': [{ status: 204, type }, 'FormatError', /not WebAssembly/],
  'an empty body': [{ type }, 'FormatError', /not WebAssembly/],
  'a page': [
    { type: 'text/html', body: '<!doctype html>' },
    'FormatError',
    /15 bytes.*not WebAsse/,
  ],
  'a page called wasm': [{ type, body: '<!doctype html>' }, 'FormatError', /not WebAssembly/],
  'half of the wasm': [{ type, body: wasm.subarray(0, 9999) }, 'FormatError', /not WebAssembly/],
  'a cut body': [
    { type, body: wasm, length: wasm.length, end: 'cut' },
    'StateError',
    /cannot be r/,
  ],
  'a cut body of no size': [{ type, body: wasm, end: 'cut' }, 'StateError', /cannot be read/],
  'a cut body of another type': [{ body: wasm, end: 'cut' }, 'StateError', /cannot be read/],
  'a cut packed body': [{ type, body: wasm, encoding: 'gzip', end: 'cut' }, 'StateError', /cannot/],
  'a body shorter than its size': [{ body: wasm, length: 2 * wasm.length, end: 'cut' }, 'StateErr'],
  'a body longer than its size': [{ type, body: wasm, length: 9999 }, 'FormatError', /not WebAsse/],
  'a body that is not packed': [
    { type, body: wasm, encoding: 'gzip', packed: 'none' },
    'StateError',
    /cannot be read/,
  ],
  'a body of 1.5 GB': [{ type, length: 1.5e9, end: 'endless' }, 'FormatError', /67108864 bytes/],
  'an endless body': [{ type: 'text/plain', end: 'endless' }, 'FormatError', /67108864 bytes/],
  'an endless body called wasm': [
    { type, end: 'endless' },
    'FormatError',
    /not WebAssembly|67108864/,
  ],
  'an endless module': [{ type, body: endlessModule, end: 'endless' }, 'FormatError', /67108864/],
  'a gzip bomb': [
    { type, body: bomb, encoding: 'gzip', packed: 'none' },
    'FormatError',
    /67108864 bytes/,
  ],
  'a gzip bomb of another type': [
    { body: bomb, encoding: 'gzip', packed: 'none' },
    'FormatError',
    /67108864 bytes/,
  ],
  'a reset': [{ end: 'reset' }, 'StateError', /cannot be read/],
};

const rejection = (promise) =>
  promise.then(
    () => assert.fail('it resolved'),
    (error) => error,
  );

/**
 * Waits until all transfers have ended: a page must not continue to load a file that it has
 * refused.
 */
async function transfersEnd() {
  for (let i = 0; server.open() > 0; i++) {
    assert.ok(i < 200, 'a transfer goes on');
    await wait(10);
  }
}

suite('a server that sends', () => {
  for (const [title, [facts, name, message = /./]] of Object.entries(answers)) {
    test(`${title} causes an error, and the transfer ends`, async () => {
      const address = server.address(facts);
      const error = await rejection(mf.ready({ wasm: address }));
      assert.ok(error.name.startsWith(name), `${error.name}: ${error.message}`);
      assert.match(error.message, message);
      if (name === 'StateError') assert.ok(error.message.includes(address), error.message);
      await transfersEnd();
      assert.ok(server.sent() < 2 * kMax, `${server.sent()} bytes were sent`);
    });
    test(`${title} causes the same error as a response`, async () => {
      const response = await fetch(server.address(facts)).catch(() => null);
      if (!response) return;
      const error = await rejection(mf.ready({ wasm: response }));
      assert.ok(error.name.startsWith(name), `${error.name}: ${error.message}`);
      await transfersEnd();
    });
  }
  test('endless redirects cause an error that names the address', async () => {
    const first = server.address({ status: 302, location: '/0' });
    const loop = { status: 302 };
    loop.location = new URL(server.address(loop)).pathname;
    for (const address of [first.replace(/\d+$/, loop.location.slice(1)), String(loop.location)]) {
      const { name, message } = await rejection(mf.ready({ wasm: address }));
      assert.equal(name, 'StateError');
      assert.ok(message.includes(address), message);
    }
  });
});

suite('an address that', () => {
  for (const [title, address] of Object.entries({
    'is empty': '',
    'is not an address': 'no address',
    'is of an unknown kind': 'nonsense://maskflow.wasm',
    'has no server': 'http://127.0.0.1:9/maskflow.wasm',
    'is of a missing file': 'file:///nowhere.wasm',
    'is of a folder': 'file:///',
    'is not of a file': 'file://nowhere/x.wasm',
    'is damaged data': 'data:application/wasm;base64,AAA%',
    'has no host': 'http://',
  })) {
    test(`${title} causes a StateError or FormatError that names it`, async () => {
      for (const wasm of [address, URL.canParse(address) ? new URL(address) : address]) {
        const error = await rejection(mf.ready({ wasm }));
        assert.ok(error instanceof mf.MaskflowError, error.name);
        if (error instanceof mf.StateError)
          assert.match(error.message, /wasm cannot be read from '/);
        else assert.match(error.message, /not WebAssembly/);
      }
    });
  }
  test('is long does not make the error long', async () => {
    const { message } = await rejection(mf.ready({ wasm: `nonsense:${'x'.repeat(1e6)}` }));
    assert.ok(message.length < 400, message.slice(0, 400));
  });
});

test('300 random answers lead to typed errors only', async () => {
  const random = generator(23);
  const choose = (list) => pick(random, list);
  const bodies = [
    wasm,
    '',
    '<!doctype html>',
    wasm.subarray(0, 8),
    endlessModule,
    Buffer.alloc(70),
  ];
  for (let i = 0; i < 300; i++) {
    const facts = {
      status: choose([200, 200, 200, 204, 206, 304, 400, 503]),
      type: choose([type, type, 'text/html', undefined, 'application/wasm;x', '']),
      encoding: choose([undefined, undefined, 'gzip', 'br', 'nonsense']),
      packed: choose(['gzip', 'br', 'none']),
      length: choose([undefined, undefined, 0, 7, wasm.length, 1e12, '-5', '1e3', 'x']),
      body: choose(bodies),
      end: choose(['whole', 'cut', 'reset']),
    };
    // An entirely correct answer would not fail, so its body is replaced.
    if (facts.status === 200 && facts.body === wasm) facts.body = bodies[1];
    const signal = AbortSignal.timeout(200);
    const error = await rejection(mf.ready({ wasm: server.address(facts), signal }));
    const timedOut = error === signal.reason;
    assert.ok(timedOut || error instanceof mf.MaskflowError, `${JSON.stringify(facts)}: ${error}`);
  }
});

test('correct answers of every kind are compiled, also for a worker', async () => {
  for (const facts of [
    { type, length: wasm.length },
    { type },
    { type, encoding: 'gzip' },
    { type, encoding: 'br' },
    { encoding: 'gzip' },
    { type: 'application/wasm; charset=utf-8' },
  ]) {
    const address = server.address({ body: wasm, ...facts });
    for (const source of [address, new URL(address), await fetch(address)]) {
      const worker = await openWorker({ variant: 'simd', wasm: source });
      assert.equal(worker.runtimeInfo.variant, 'simd');
      worker.close();
    }
  }
  await transfersEnd();
});

/**
 * Runs `body` in a process of its own and returns its output. `mf` is the package; the server runs
 * in this process.
 */
async function outputOf(body) {
  const code = `import * as mf from '${entry}';
    const rejection = (promise) => promise.then(() => 'resolved', (error) => error);
    ${body}`;
  const args = ['--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim().split('\n');
}

const waitingServers = {
  'does not answer': { end: 'mute' },
  'sends no body': { type, end: 'silent' },
  'sends no body of another type': { end: 'silent' },
  'sends a body that does not end': { type, body: endlessModule, length: 9e6, end: 'silent' },
};

suite('a signal', () => {
  for (const [title, facts] of Object.entries(waitingServers)) {
    test(`aborts ready() with a server that ${title}, and its transfer`, async () => {
      const reason = new Error('enough');
      const control = new AbortController();
      const address = server.address(facts);
      const starting = rejection(mf.ready({ wasm: address, signal: control.signal }));
      await wait(50);
      control.abort(reason);
      assert.equal(await starting, reason);
      await transfersEnd();
    });
  }
  test('that was aborted before the call starts nothing', async () => {
    const signal = AbortSignal.abort('before');
    const options = { wasm: server.address({ end: 'mute' }), signal };
    for (const start of [mf.ready, openWorker, openPool]) {
      assert.equal(await rejection(start(options)), 'before');
    }
    assert.equal(server.open(), 0);
  });
  test('must be an AbortSignal', async () => {
    for (const start of [mf.ready, openWorker, openPool]) {
      await assert.rejects(start({ signal: { aborted: false } }), {
        name: 'ValueError',
        message: /signal is .* must be an AbortSignal/,
      });
    }
  });
  test('aborts only its own call; other calls continue', async () => {
    const address = server.address({ type, body: wasm });
    const output = await outputOf(`
      const control = new AbortController();
      const options = { wasm: '${address}', variant: 'simd' };
      const first = rejection(mf.ready({ ...options, signal: control.signal }));
      const second = mf.ready();
      const third = rejection(mf.ready({ seed: 1, onMaskDropped: 'error', signal: control.signal }));
      control.abort('enough');
      console.log(await first, await third);
      await second;
      console.log(mf.runtimeInfo().variant, mf.runtimeInfo().onMaskDropped, mf.memory().tensors);`);
    assert.deepEqual(output, ['enough enough', 'simd warn 0']);
  });
  test('of every call aborts the start; the next ready() begins another at once', async () => {
    const [mute, correct] = [{ end: 'mute' }, { type, body: wasm }].map(server.address);
    const output = await outputOf(`
      const controls = [new AbortController(), new AbortController()];
      const [first, second] = controls.map(({ signal }) =>
        rejection(mf.ready({ wasm: '${mute}', signal })));
      controls[0].abort(1);
      console.log(await first);
      controls[1].abort(2);
      const last = mf.ready({ wasm: '${correct}', variant: 'simd' });
      console.log(await second);
      await last;
      console.log(mf.runtimeInfo().variant);
      await mf.ready();
      await mf.restart();
      console.log(mf.ops.sum(mf.tensor([1, 2])).item());`);
    assert.deepEqual(output, ['1', '2', 'simd', '3']);
  });
  test('has no effect once ready() is done, and an aborted one is refused later', async () => {
    const output = await outputOf(`
      const control = new AbortController();
      const { signal } = control;
      await mf.ready({ signal });
      const x = mf.tensor([1, 2]);
      control.abort('late');
      await mf.ready();
      console.log(x.array().join(), await rejection(mf.ready({ signal })));`);
    assert.deepEqual(output, ['1,2 late']);
  });
  test('may be aborted at any moment; the package still starts', async () => {
    const address = server.address({ type, body: wasm });
    const output = await outputOf(`
      let aborted = 0;
      for (let i = 0; i < 60; i++) {
        const control = new AbortController();
        const starting = rejection(mf.ready({ wasm: '${address}', variant: 'simd', signal: control.signal }));
        setTimeout(() => control.abort('enough'), i / 2);
        const result = await starting;
        if (result === 'resolved') break;
        if (result !== 'enough') throw result;
        aborted++;
      }
      await mf.ready();
      console.log(aborted > 0, mf.ops.sum(mf.tensor([1, 2])).item());`);
    assert.deepEqual(output, ['true 3']);
  });
  test('aborts openWorker() and openPool(), their transfers and their workers', async () => {
    const address = server.address({ end: 'mute' });
    const workers = [];
    const silent = () => {
      const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
      workers.push(new Promise((resolve) => worker.on('exit', resolve)));
      return worker;
    };
    for (const options of [{ wasm: address }, { worker: silent }, { worker: silent, wasm }]) {
      for (const open of [openWorker, openPool]) {
        const control = new AbortController();
        const size = open === openPool ? { size: 2 } : {};
        const started = workers.length + (options.worker ? (size.size ?? 1) : 0);
        const opening = rejection(open({ ...options, ...size, signal: control.signal }));
        do await wait(100);
        while (workers.length < started);
        control.abort('enough');
        assert.equal(await opening, 'enough');
        await transfersEnd();
      }
    }
    assert.equal(workers.length, 6);
    await Promise.all(workers);
  });
  test('has no effect on a worker or pool that is open', async () => {
    const control = new AbortController();
    const { signal } = control;
    const worker = await openWorker({ signal });
    const pool = await openPool({ size: 1, signal });
    control.abort();
    assert.ok((await worker.memory()).heapBytes > 0);
    const model = new URL('../fixtures/trained/brackets.keras', import.meta.url);
    const loaded = await pool.loadModel(model);
    assert.ok((await loaded.predict([[1, 3, 2, 4]])).data()[0] < 0.01);
    worker.close();
    pool.close();
  });
});

test('after all errors ready() works', async () => {
  await mf.ready({ wasm: server.address({ type, body: wasm }) });
  assert.equal(mf.runtimeInfo().wasmBytes, wasm.length);
});
