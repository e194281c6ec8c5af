// SPDX-License-Identifier: MIT
// Files designed to be expensive: what each limit stops, its message, and how to raise it.
import assert from 'node:assert/strict';
import { symlinkSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { zipSync } from 'fflate';
import * as mf from '../../../dist/index.js';
import { editedFile, fixture, fixturePath } from '../../support/archives.js';
import { internals } from '../../support/internals.js';
import { array, legacyH5 } from '../../support/legacy_files.js';

await mf.ready({ onMaskDropped: 'silent' });
const { parseJson } = await internals('formats/json_text.ts');
const { Budget } = await internals('formats/open/budget.ts');
const { readNpz } = await internals('formats/numpy/npz.ts');
const { readRecorded } = await internals('formats/verify/recorded.ts');

const mlp = fixture('mlp.keras');

/** Returns the error of loading. */
async function failure(source, options) {
  try {
    (await mf.loadModel(source, options)).dispose();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
  return 'loaded';
}

suite('limits', () => {
  const cases = {
    bytes: [mlp, 1000, /^FormatError: .*: \d+ bytes, more than the 1000 that limits\.bytes/],
    text: [mlp, 100, /: \d+ bytes of text, more than the 100 that limits\.text/],
    entries: [mlp, 5, /: \d+ parts, more than the 5 that limits\.entries/],
    nodes: [mlp, 50, /: \d+ values, more than the 50 that limits\.nodes/],
    depth: [mlp, 3, /: 4 levels, more than the 3 that limits\.depth/],
  };
  for (const [name, [source, limit, message]] of Object.entries(cases)) {
    test(`${name}: the error names the limit and the number, and the limit can be raised`, async () => {
      assert.match(await failure(source, { limits: { [name]: limit } }), message);
      assert.match(await failure(source, { limits: { [name]: limit } }), /\{ limits: \{/);
      const enough = name === 'depth' ? 1000 : Number.POSITIVE_INFINITY;
      assert.equal(await failure(source, { limits: { [name]: enough } }), 'loaded');
    });
  }

  test('ratio: an archive that unpacks to far more than its size is refused', async () => {
    const files = { 'config.json': new Uint8Array(70e6).fill(32), 'model.weights.h5': mlp };
    const bomb = zipSync(files, { level: 1 });
    assert.match(await failure(bomb), /70000000 bytes from \d+, \d+ times .*limits\.ratio/);
    assert.match(
      await failure(bomb, { limits: { ratio: 1e6, text: 1e9 } }),
      /config\.json.* not valid JSON/,
    );
  });

  test('milliseconds', async () => {
    assert.match(
      await failure(mlp, { limits: { milliseconds: 1e-9 } }),
      /reading the file: \d+ milliseconds, more than the 1e-9 that limits\.milliseconds/,
    );
  });

  test('apply to loadWeights too', async () => {
    const model = await mf.loadModel(mlp);
    await assert.rejects(model.loadWeights(mlp, { limits: { entries: 5 } }), /limits\.entries/);
    await model.loadWeights(mlp);
    model.dispose();
  });

  test('must be known names with numbers above 0', async () => {
    assert.match(await failure(mlp, { limits: { byte: 1 } }), /ValueError: unknown limit 'byte'/);
    for (const value of [0, -1, Number.NaN, '5', null]) {
      assert.match(await failure(mlp, { limits: { bytes: value } }), /ValueError: limits\.bytes/);
    }
    assert.match(await failure(mlp, { limits: { depth: 5000 } }), /at most 1000/);
    assert.match(await failure(mlp, { limits: null }), /ValueError: limits is null/);
    assert.equal(await failure(mlp, { limits: { bytes: undefined } }), 'loaded');
  });
});

suite('JSON', () => {
  const parse = (text) => parseJson(text, 'it', new Budget());

  test("Python's NaN and Infinity are read, but not inside strings", () => {
    assert.deepEqual(parse('[NaN, Infinity, -Infinity, "NaN, \\"Infinity", {"NaN": 1e400}]'), [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      'NaN, "Infinity',
      { NaN: Number.POSITIVE_INFINITY },
    ]);
    assert.deepEqual(parse('{"a\\\\": NaN}'), { 'a\\': Number.NaN });
    // Empty strings, and strings that end in quotes or backslashes.
    assert.deepEqual(parse('["", NaN, "\\"", NaN, "\\\\\\"NaN", "\\\\", NaN, "NaN"]'), [
      '',
      Number.NaN,
      '"',
      Number.NaN,
      '\\"NaN',
      '\\',
      Number.NaN,
      'NaN',
    ]);
    // A file may contain the placeholder that temporarily replaces NaN as a string.
    assert.deepEqual(parse('["\\u0000NaN", Infinity]'), ['\0NaN', Number.POSITIVE_INFINITY]);
    assert.deepEqual(parse('{"NaN": NaN, "a": {"NaN" : 1}}'), { NaN: Number.NaN, a: { NaN: 1 } });
    for (const text of ['NaNNaN', '-NaN', 'Infinit', '[N]', '{NaN: 1}', '"\\']) {
      assert.throws(() => parse(text), { name: 'FormatError', message: /is not valid JSON/ });
    }
  });

  // A naive parser takes quadratic time for these texts, or overflows the stack.
  test('long strings, quotes and backslashes are parsed quickly', () => {
    const long = 'x'.repeat(20e6);
    assert.equal(parse(`["${long}", NaN]`)[0].length, long.length);
    for (const text of ['"\\'.repeat(1e6), '"'.repeat(2e6 + 1), `${'\\"'.repeat(1e6)}NaN`]) {
      assert.throws(() => parse(text), { name: 'FormatError' });
    }
  });

  test('endless nesting is refused quickly', () => {
    assert.throws(() => parse('['.repeat(64e6)), /151 levels, more than the 150/);
    assert.throws(() => parse(`[${'{"a":'.repeat(1e6)}`), /limits\.depth/);
    assert.throws(() => parse(`[${'0,'.repeat(3e6)}`), /limits\.nodes/);
  });

  test('a recording with invalid arrays is refused', () => {
    for (const invalid of [
      { shape: 3 },
      { shape: [-1] },
      { data: null },
      { dtype: { toString: 1 } },
    ]) {
      const array = { shape: [1], dtype: 'float32', data: [1], ...invalid };
      const text = JSON.stringify({ inputs: [array], outputs: [array] });
      assert.throws(() => readRecorded(text), { name: 'FormatError', message: /needs a shape/ });
    }
  });

  test('a long recording in base64 is read', () => {
    const data = Buffer.from(new Float32Array(2e6).buffer).toString('base64');
    const array = { shape: [2e6], dtype: 'float32', data };
    const { inputs } = readRecorded(JSON.stringify({ inputs: [array], outputs: [array] }));
    assert.equal(inputs[0].data.length, 2e6);
  });
});

suite('archives', () => {
  test('overlapping files in an archive are refused', async () => {
    const zip = zipSync({ 'a.npy': new Uint8Array(5000), 'b.npy': new Uint8Array(5000) });
    const view = new DataView(zip.buffer);
    const directory = view.getUint32(zip.length - 6, true);
    const secondEntry = directory + 46 + 5;
    view.setUint32(secondEntry + 42, view.getUint32(directory + 42, true), true);
    assert.throws(() => readNpz(zip), /the file at 0 has \d+ bytes, but the next starts at 0/);
  });

  test('an archive whose arrays together unpack to too much is refused', () => {
    const header = Buffer.from(
      "\x93NUMPY\x01\0\x76\0{'descr': '|u1', 'fortran_order': False, ",
      'latin1',
    );
    const array = Buffer.concat([
      header,
      Buffer.from(`${"'shape': (30000000,), }".padEnd(0x76 + 10 - header.length - 1)}\n`),
      new Uint8Array(30e6),
    ]);
    const names = Array.from({ length: 4 }, (_, i) => `${i}.npy`);
    const bytes = zipSync(Object.fromEntries(names.map((name) => [name, array])), { level: 9 });
    assert.throws(() => readNpz(bytes), /limits\.ratio/);
    assert.equal(readNpz(bytes, Budget.ofData({ ratio: 2000 })).size, 4);
  });

  test('a signal stops unpacking', async () => {
    const noise = Uint8Array.from({ length: 20e6 }, (_, i) => (i * 7919) >> 5);
    const zip = zipSync({ 'config.json': noise, 'model.weights.h5': mlp }, { level: 1 });
    const control = new AbortController();
    setImmediate(() => setImmediate(() => control.abort(new Error('no longer wanted'))));
    assert.equal(await failure(zip, { signal: control.signal }), 'Error: no longer wanted');
  });
});

suite('HDF5', () => {
  test('many arrays in one group, and many strings in one heap, are read quickly', async () => {
    const model = new mf.Sequential([mf.Input({ shape: [1] }), mf.layers.dense({ units: 1 })]);
    const count = 3000;
    const weights = Array.from({ length: count }, (_, i) => array(`w/a ${i}`, [1], [1]));
    const file = legacyH5({ layers: [{ name: 'dense', weights }] });
    await assert.rejects(model.loadWeights(file), new RegExp(`${count - 2} left over`));
    model.dispose();
  });
});

test('names of members of Object.prototype are unknown classes', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const bytes = editedFile('mlp', (config) => {
      config.config.layers[1].class_name = name;
    });
    assert.match(await failure(bytes), /^(Config|Format)Error/);
    const json = { modelTopology: { class_name: 'Sequential', config: { layers: [] } } };
    json.weightsManifest = [{ paths: ['a'], weights: [{ name: 'a', shape: [], dtype: name }] }];
    const files = [{ name: 'model.json', data: Buffer.from(JSON.stringify(json)) }];
    assert.match(await failure({ files }), /UnsupportedError: .* is stored as/);
    const op = { class_name: 'TensorFlowOpLayer', name: 'op', inbound_nodes: [['x', 0, 0, {}]] };
    op.config = { name: 'op', node_def: JSON.stringify({ op: name }) };
    const input = { class_name: 'InputLayer', config: { name: 'x', batch_input_shape: [null, 2] } };
    const layers = [{ ...input, name: 'x', inbound_nodes: [] }, op];
    const ends = { input_layers: [['x', 0, 0]], output_layers: [['op', 0, 0]] };
    json.modelTopology = { class_name: 'Model', config: { name: 'm', layers, ...ends } };
    json.weightsManifest = [];
    const graph = [{ name: 'model.json', data: Buffer.from(JSON.stringify(json)) }];
    assert.match(await failure({ files: graph }), /^ConfigError: 'op' is TensorFlow's/);
  }
});

suite('limits on downloads', () => {
  let server;
  let address;
  const answers = {
    '/zeros': (response) => endless(response, Buffer.alloc(65536)),
    '/zip': (response) => endless(response, Buffer.from('PK\x03\x04'.padEnd(65536))),
    '/long': (response) => {
      response.setHeader('content-length', '99999999999');
      response.write('PK\x03\x04');
    },
    '/shards/model.json': (response) => response.end(manifest),
    '/shards/page.bin': (response) => response.end('<!DOCTYPE html><p>There is no such page.'),
    '/shards/lfs.bin': (response) =>
      response.end('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 8\n'),
    '/shards/endless.bin': (response) => endless(response, Buffer.alloc(65536)),
  };
  let manifest = '';
  const shards = (path) => {
    const weights = [{ name: 'a', shape: [2], dtype: 'float32' }];
    manifest = JSON.stringify({ modelTopology: {}, weightsManifest: [{ paths: [path], weights }] });
    return failure(`${address}/shards/model.json`);
  };

  function endless(response, piece) {
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  }

  before(async () => {
    server = createServer((request, response) => answers[request.url](response));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  test('an endless stream that is not a model ends after its first bytes', async () => {
    assert.match(await failure(`${address}/zeros`), /not a model file of a known format.*00 00/);
  });

  test('an endless stream that begins like a model ends at the limit', async () => {
    const limits = { bytes: 4e6 };
    assert.match(
      await failure(`${address}/zip`, { limits }),
      /more than the 4000000 that limits\.b/,
    );
  });

  test('a content length beyond the limit is refused', async () => {
    assert.match(await failure(`${address}/long`), /: 99999999999 bytes, .* limits\.bytes/);
  });

  test('shards that are not weights, or endless, are refused', async () => {
    assert.match(await shards('page.bin'), /page\.bin is a web page/);
    assert.match(await shards('lfs.bin'), /lfs\.bin is a Git LFS pointer/);
    assert.match(
      await shards('endless.bin'),
      /endless\.bin has at least \d+ bytes, but its weights/,
    );
    for (const path of ['../x', '/x', 'https://a/x', 'a/../../x', '..\\x', '']) {
      assert.match(await shards(path), /is outside its folder/);
    }
  });

  test('a response whose body was read before is refused', async () => {
    const response = await fetch(`${address}/shards/page.bin`);
    await response.text();
    assert.match(await failure(response), /FormatError: .* was already read/);
  });
});

suite('paths', { skip: process.platform === 'win32' && 'there are no such devices' }, () => {
  test('devices and circular links are refused', async () => {
    assert.match(await failure('/dev/zero'), /FormatError: .*is a device/);
    const link = join(tmpdir(), `maskflow-loop-${process.pid}`);
    symlinkSync(link, link);
    try {
      assert.match(await failure(link), /FormatError: .*ELOOP/);
    } finally {
      unlinkSync(link);
    }
  });

  test('files beyond the limit are not read', async () => {
    const path = fixturePath('mlp.keras').pathname;
    assert.match(await failure(path, { limits: { bytes: 100 } }), /limits\.bytes/);
    assert.equal(await failure(path), 'loaded');
  });
});
