// SPDX-License-Identifier: MIT
// Every error has a stable code, from the core, from TypeScript and from workers; docs/errors.md
// lists all codes; no code of the project decides by the text of a message.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { openWorker } from '../../dist/worker.js';
import { checkMessages, messageComplaints } from '../../scripts/check-messages.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { fresh } from '../support/fresh.js';
import { internals } from '../support/internals.js';

const source = readFileSync(at('web', 'src', 'base', 'errors.ts'), 'utf8');
const documented = readFileSync(at('docs', 'errors.md'), 'utf8');
const kinds = ['shape', 'value', 'config', 'format', 'state', 'unsupported'];
const general = kinds.map((kind) => `ERR_${kind.toUpperCase()}`);
const [, union] = /export type ErrorCode =([^;]+);/.exec(source);
const codes = [...general, ...[...union.matchAll(/'(ERR_\w+)'/g)].map(([, code]) => code)];

const unknownLayer = { class_name: 'Mine', config: { name: 'mine' } };
const modelWith = (...layers) =>
  new Blob([JSON.stringify({ class_name: 'Sequential', config: { name: 'm', layers } })]);
const codeOf = (error) => {
  assert.ok(error instanceof mf.MaskflowError, String(error));
  return error.code;
};
const caught = (call) => {
  try {
    call();
  } catch (error) {
    return codeOf(error);
  }
  throw new Error('the call did not fail');
};
const load = (...layers) => mf.loadModel(modelWith(...layers), { weights: null });
const rejected = (promise) => promise.then(() => 'no error', codeOf);

let server;
let address;
before(async () => {
  await mf.ready();
  server = createServer(({ url }, response) => response.writeHead(Number(url.slice(1))).end());
  await new Promise((resolve) => server.listen(0, resolve));
  address = `http://localhost:${server.address().port}`;
});
after(() => server.close());

describe('the code of an error', () => {
  test('is that of its class if the problem has none of its own', () => {
    const { ShapeError, ValueError, ConfigError, FormatError, StateError, UnsupportedError } = mf;
    const classes = [
      ShapeError,
      ValueError,
      ConfigError,
      FormatError,
      StateError,
      UnsupportedError,
    ];
    for (const [index, Class] of classes.entries()) {
      const error = new Class('x');
      assert.deepEqual([error.kind, error.code], [kinds[index], general[index]]);
    }
    assert.equal(
      caught(() => mf.tensor([[1, 2], [3]])),
      'ERR_SHAPE',
    );
    assert.equal(
      caught(() => mf.layers.dense({ units: 2, typo: 1 })),
      'ERR_CONFIG',
    );
  });

  test('comes from the core for an unknown layer, op and activation', () => {
    assert.equal(
      caught(() => mf.deserializeLayer(unknownLayer)),
      'ERR_UNKNOWN_LAYER',
    );
    assert.equal(
      caught(() => mf.layers.dense({ units: 2, activation: 'mine' })),
      'ERR_UNKNOWN_ACTIVATION',
    );
    assert.equal(
      caught(() => mf.layers.lstm({ units: 2, recurrentActivation: 'mine' })),
      'ERR_UNKNOWN_ACTIVATION',
    );
  });

  test('says that an object was disposed of, wherever that is noticed', () => {
    const x = mf.tensor([1]);
    x.dispose();
    assert.equal(
      caught(() => x.data()),
      'ERR_DISPOSED',
    );
    const layer = mf.layers.dense({ units: 1 });
    layer.dispose();
    assert.equal(
      caught(() => layer.apply([[1]])),
      'ERR_DISPOSED',
    );
  });

  test('says that memory is used up, and that ready() is missing', () => {
    const [missing, memory] =
      fresh(`const code = (call) => { try { call(); } catch (error) { return error.code; } };
      const first = code(() => mf.tensor([1]));
      await mf.ready({ maxBytes: 1000 });
      say(first); say(code(() => mf.ops.zeros([1000])));`);
    assert.deepEqual([missing, memory], ['ERR_NOT_READY', 'ERR_OUT_OF_MEMORY']);
  });

  test('says that an entry lacks a service', () => {
    const [code] = fresh(`await mf.ready();
      const model = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);
      try { model.compile({ optimizer: 'sgd', loss: 'mse' }); } catch (error) { say(error.code); }`);
    assert.equal(code, 'ERR_NEEDS_ENTRY');
  });

  test('says that a file needs custom objects, or text', async () => {
    const custom = [unknownLayer, { class_name: 'Lambda', config: { name: 'l' } }];
    for (const layer of custom) {
      assert.equal(await rejected(load(layer)), 'ERR_CUSTOM_OBJECTS');
    }
    const config = { name: 'd', units: 1, activation: 'mine' };
    const dense = { class_name: 'Dense', config };
    assert.equal(await rejected(load(dense)), 'ERR_CUSTOM_OBJECTS');
    const text = { class_name: 'TextVectorization', config: { name: 't' } };
    assert.equal(await rejected(load(text)), 'ERR_NEEDS_TEXT');
    const wrong = { class_name: 'Dense', config: { name: 'd', units: -1 } };
    assert.equal(await rejected(load(wrong)), 'ERR_CONFIG');
  });

  test('names the activation that is unknown, not another one', async () => {
    const config = { name: 'l', units: 2, activation: 'tanh', recurrent_activation: 'mine' };
    const promise = load({ class_name: 'LSTM', config });
    await assert.rejects(promise, /customObjects: \{ 'mine': \(x\) => … \}/);
  });

  test('tells a missing file from a broken server', async () => {
    for (const [status, code] of [
      [404, 'ERR_NOT_FOUND'],
      [401, 'ERR_NOT_FOUND'],
      [500, 'ERR_HTTP'],
    ]) {
      assert.equal(await rejected(mf.loadModel(`${address}/${status}`)), code, String(status));
    }
  });

  test('arrives from a worker', async () => {
    const worker = await openWorker();
    try {
      const promise = worker.loadModel(modelWith(unknownLayer), { weights: null });
      assert.equal(await rejected(promise), 'ERR_CUSTOM_OBJECTS');
      await assert.rejects(promise, /in a script of your own that calls serve\(\)/);
      assert.equal(await rejected(worker.loadModel(`${address}/404`)), 'ERR_NOT_FOUND');
    } finally {
      worker.close();
    }
  });

  test('survives the way between threads', async () => {
    const { CrashError, errorFromWire, errorToWire, TimeLimitError } =
      await internals('worker/failures.ts');
    const wire = (error) => errorFromWire(errorToWire(error)).code;
    assert.equal(wire(new CrashError('the worker ended')), 'ERR_WORKER_CRASHED');
    assert.equal(wire(new TimeLimitError('predict', 5)), 'ERR_TIME_LIMIT');
    assert.equal(wire(new mf.StateError('x', 'ERR_DISPOSED')), 'ERR_DISPOSED');
    assert.equal(wire(new mf.ShapeError('x')), 'ERR_SHAPE');
    assert.equal(wire(new Error('x')), undefined);
  });
});

test('docs/errors.md lists all codes, and no others', () => {
  const rows = [...documented.matchAll(/^\| `(ERR_\w+)` \| (.+?) \| .+ \|$/gm)];
  assert.deepEqual(rows.map(([, code]) => code).sort(), [...codes].sort());
  for (const [, code, classes] of rows) {
    for (const [, name] of classes.matchAll(/`(\w+)`/g)) assert.ok(name in mf, `${code}: ${name}`);
  }
});

test('no code decides by the text of a message', () => {
  assert.deepEqual(checkMessages(), []);
  for (const line of [
    "if (error.message.includes('unknown layer')) return;",
    'if (/unknown/.test(error.message)) return;',
    'if ((error as Error).message.includes(kUnknown)) return;',
    "if (error.message === 'x') return;",
    'const [first] = error.message.split("registerLayer");',
  ]) {
    assert.equal(messageComplaints('a.ts', line).length, 1, line);
  }
  for (const line of ['error.message += text;', 'if (error.code === "ERR_HTTP") return;']) {
    assert.deepEqual(messageComplaints('a.ts', line), [], line);
  }
});

test('errors of arguments that are not texts have a code', () => {
  for (const kind of [undefined, null, {}, Promise.resolve(), Symbol('kind')]) {
    assert.equal(new mf.MaskflowError(kind, kind).code, 'ERR_VALUE');
  }
});
