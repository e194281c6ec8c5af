// SPDX-License-Identifier: MIT
// Sources of models, progress of loading, and errors for files that are not models.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import * as mf from '../../../dist/index.js';
import { editedFile, fixture, fixturePath } from '../../support/archives.js';
import { live } from '../../support/watch.js';
import { cpuTime } from '../../support/cpu_time.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const bytes = fixture('mlp.keras');
const input = [[0.1, -0.2, 0.3]];
let expected;
before(async () => {
  const model = await mf.loadModel(fileURLToPath(fixturePath('mlp.keras')));
  expected = model.predict(input).array();
  model.dispose();
});

/** Asserts that the model of a source has the expected results. */
async function assertLoads(source, options) {
  const model = await mf.loadModel(source, options);
  assert.deepEqual(model.predict(input).array(), expected);
  model.dispose();
}

/**
 * Asserts that loading fails with this kind of error and message, quickly, and frees all memory.
 */
async function assertRefused(source, message, kind = 'FormatError', load = mf.loadModel) {
  const [start, began] = [live(), cpuTime()];
  await assert.rejects(load(source), (error) => {
    assert.equal(error.name, kind, error.stack);
    assert.match(error.message, message);
    return true;
  });
  assert.ok(cpuTime() - began < 2000, 'quickly');
  // The counts may be lower, if the garbage collector freed tensors of an earlier test.
  assert.ok(live().tensors <= start.tensors && live().bytes <= start.bytes);
}

describe('bytes and files', () => {
  test('typed array, Buffer, part of a buffer, ArrayBuffer, DataView', async () => {
    await assertLoads(bytes);
    await assertLoads(Buffer.from(bytes));
    const padded = new Uint8Array(bytes.length + 13);
    padded.set(bytes, 5);
    await assertLoads(padded.subarray(5, 5 + bytes.length));
    await assertLoads(bytes.slice().buffer);
    await assertLoads(new DataView(padded.buffer, 5, bytes.length));
  });

  test('Blob, File, a list of one file, { files }', async () => {
    await assertLoads(new Blob([bytes]));
    await assertLoads(new File([bytes], 'mlp.keras'));
    await assertLoads([new File([bytes], 'any name')]);
    await assertLoads({
      files: [
        { name: 'notes.txt', data: new Uint8Array(3) },
        { name: 'mlp.keras', data: bytes },
      ],
    });
  });

  test('a path, a file: address as text and as URL', async () => {
    const url = fixturePath('mlp.keras');
    await assertLoads(fileURLToPath(url));
    await assertLoads(String(url));
    await assertLoads(url);
  });

  test('missing files and invalid sources are refused', async () => {
    await assertRefused('/no/such/model.keras', /cannot be read.*no such file/);
    await assertRefused(42, /URL, a File or Blob, bytes/, 'ValueError');
    await assertRefused({ files: [] }, /none of the 0 files/);
    await assertRefused(
      [
        { name: 'a.txt', data: bytes },
        { name: 'b.txt', data: bytes },
      ],
      /none of the 2 files is a model: a.txt, b.txt/,
    );
  });

  test('a folder without a model is refused, with a hint for a SavedModel of others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-'));
    try {
      await assertRefused(folder, /a folder without model\.json/);
      const { href } = pathToFileURL(folder);
      for (const address of [href, `${href}/`, new URL(href)])
        await assertRefused(address, /a folder without model\.json/);
      writeFileSync(join(folder, 'saved_model.pb'), '\x08\x01\x12\x07\x22\x05serve');
      await assertRefused(folder, /TensorFlow SavedModel.*model\.save\("name\.keras"\)/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('addresses', () => {
  let server;
  let base;
  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/absent.keras') {
        response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html>not here');
      } else if (request.url === '/page.keras') {
        response.end('<!DOCTYPE html><html>an app for every address</html>');
      } else if (request.url === '/slow.keras') {
        response.write(bytes.subarray(0, 1000));
      } else if (request.url === '/broken.keras') {
        response.writeHead(200, { 'content-length': bytes.length });
        response.write(bytes.subarray(0, 1000), () => response.destroy());
      } else if (request.url === '/packed.keras') {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
      } else {
        response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
      }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  test('text, URL, Response, data:, blob:', async () => {
    await assertLoads(`${base}/mlp.keras`);
    await assertLoads(new URL(`${base}/mlp.keras`));
    await assertLoads(await fetch(`${base}/mlp.keras`));
    await assertLoads(`${base}/packed.keras`);
    await assertLoads(`data:application/zip;base64,${Buffer.from(bytes).toString('base64')}`);
    const blob = URL.createObjectURL(new Blob([bytes]));
    await assertLoads(blob);
    URL.revokeObjectURL(blob);
  });

  test('reports the progress', async () => {
    const steps = [];
    await assertLoads(`${base}/mlp.keras`, { onProgress: (progress) => steps.push(progress) });
    const lastStep = steps.at(-1);
    assert.deepEqual(lastStep, {
      loaded: bytes.length,
      total: bytes.length,
      file: `${base}/mlp.keras`,
    });
    assert.ok(steps.every(({ loaded }, i) => i === 0 || loaded > steps[i - 1].loaded));
    steps.length = 0;
    await assertLoads(`${base}/packed.keras`, { onProgress: (progress) => steps.push(progress) });
    assert.equal(steps.at(-1).total, null, 'the content length counts compressed bytes');
    assert.equal(steps.at(-1).loaded, bytes.length);
    await assert.rejects(
      mf.loadModel(`${base}/mlp.keras`, {
        onProgress() {
          throw new TypeError('of the user');
        },
      }),
      new TypeError('of the user'),
    );
  });

  test('stops when its signal is aborted', async () => {
    const reason = new Error('enough');
    await assert.rejects(mf.loadModel(bytes, { signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    const loading = mf.loadModel(`${base}/slow.keras`, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await assert.rejects(loading, reason);
  });

  test('responses that are not models are refused', async () => {
    await assertRefused(`${base}/absent.keras`, /absent\.keras: the server answered 404 Not Found/);
    await assertRefused(
      `${base}/page.keras`,
      /page\.keras is a web page \(HTML\).*check the address/,
    );
    await assertRefused(`${base}/broken.keras`, /connection to .* broke after 1000 bytes/);
    await assertRefused('http://127.0.0.1:1/model.keras', /cannot be fetched/);
  });
});

const text = (value) => new TextEncoder().encode(value);
const binary = (...values) => Uint8Array.from([...values, ...new Array(64).fill(1)]);

describe('files that are not models are named', () => {
  const foreignFiles = {
    nothing: [new Uint8Array(0), /is empty \(0 bytes\)/],
    'a Git LFS pointer': [
      text('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'),
      /Git LFS pointer.*git lfs pull/,
    ],
    'a web page': [text('\n  <!DOCTYPE html>\n<html><head>'), /web page \(HTML\)/],
    'an error in XML': [text('<?xml version="1.0"?><Error><Code>AccessDenied</Code>'), /web page/],
    'a pickle': [binary(0x80, 4, 0x7d, 0x2e), /a pickle with plain data.*readPickle.*readTorch/],
    'a cut pickle': [binary(0x80, 4, 0x95), /the pickle has the opcode 0x1 at 11/],
    'a Tokenizer': [
      text('{"class_name": "Tokenizer", "config": {}}'),
      /Tokenizer of Keras.*Tokenizer\.fromJSON\(text\) of maskflow\/text/,
    ],
    'a PyTorch file': [
      zipSync({ 'archive/data.pkl': new Uint8Array(4) }),
      /a file of PyTorch: open it with readTorch/,
    ],
    'an ONNX model': [binary(8, 7, 0x12, 7), /looks like an ONNX model.*readTorch/],
    'a SavedModel': [
      Uint8Array.from([8, 1, 0x12, 7, 0x22, 5, ...text('serve')]),
      /TensorFlow SavedModel/,
    ],
    'a TFLite model': [Uint8Array.from([28, 0, 0, 0, ...text('TFL3....')]), /TensorFlow Lite/],
    'a GGUF model': [text('GGUF....'), /GGUF/],
    'a file compressed twice': [gzipSync(gzipSync(bytes)), /compressed with gzip twice/],
    'a gzip file of text': [gzipSync(Buffer.from('text')), /not a model file of a known format/],
    'an array': [Uint8Array.from([0x93, ...text('NUMPY')]), /NumPy array/],
    arrays: [zipSync({ 'a.npy': new Uint8Array(4) }), /set of NumPy arrays \(npz\)/],
    safetensors: [Uint8Array.from([64, 0, 0, 0, 0, 0, 0, 0, ...text('{"a":{}}')]), /safetensors/],
    text: [text('hello'), /begins with the bytes 68 65 6c 6c 6f/],
    'some zip archive': [
      zipSync({ 'readme.txt': text('hello') }),
      /not a \.keras file: config\.json and model\.weights\.h5 is missing; it contains readme\.txt/,
    ],
    'an empty zip archive': [zipSync({}), /it contains nothing/],
    'JSON that is not a model': [text('{"a": 1}'), /JSON, but neither an architecture/],
    'broken JSON': [text('{"a": '), /is not valid JSON/],
    'an architecture alone': [
      text('{"class_name": "Sequential", "config": {}}'),
      /architecture without weights.*weights: null/,
    ],
  };
  for (const [name, [source, message]] of Object.entries(foreignFiles)) {
    test(name, () => assertRefused(source, message));
  }

  test('a graph model of TF.js is refused', () =>
    assertRefused(
      text('{"format": "graph-model", "modelTopology": {"node": []}}'),
      /graph model of TF\.js/,
      'UnsupportedError',
    ));

  test('weights are refused as a model', () =>
    assertRefused(
      fixture('seq_embed_lstm.weights.h5'),
      /has weights only, no architecture.*model\.loadWeights/,
    ));

  test('an HDF5 file with other content is refused', async () => {
    const { writeWithLibhdf5 } = await import('../../support/hdf5.js');
    const otherFile = writeWithLibhdf5((file) => file.create_group('images'));
    await assertRefused(otherFile, /neither a Keras model nor Keras weights; it contains images/);
    const data = writeWithLibhdf5((file) => {
      file
        .create_group('train')
        .create_dataset({ name: 'x', data: new Float32Array(6), shape: [2, 3] });
    });
    await assertRefused(data, /neither a Keras model nor Keras weights; it contains train/);
    const model = await mf.loadModel(fixture('seq_embed_lstm.keras'));
    await assert.rejects(model.loadWeights(data), /neither a Keras model nor Keras weights/);
  });
});

describe('archives that are damaged or hostile', () => {
  test('cut short anywhere are refused', async () => {
    for (let size = 1; size < bytes.length; size += 501) {
      await assertRefused(bytes.subarray(0, size), /cut short|damaged|begins with|missing/);
    }
  });

  test('are named once in the error, if they have a name', async () => {
    const half = bytes.subarray(0, bytes.length / 2);
    await assertRefused(
      new File([half], 'half.keras'),
      /^half\.keras: the zip archive is cut short/,
    );
    await assertRefused(half, /^the zip archive is cut short/);
    await assertRefused(
      new File([zipSync({})], 'none.keras'),
      /^none\.keras is a zip archive, but no/,
    );
  });

  test('with one changed byte load the same model, or cause an error', async () => {
    for (let at = 0; at < bytes.length; at += 211) {
      const damaged = bytes.slice();
      damaged[at] ^= 16;
      try {
        await assertLoads(damaged);
      } catch (error) {
        assert.match(error.name, /^(FormatError|UnsupportedError)$/, `${at}: ${error.stack}`);
      }
    }
  });

  const entry = (source, name) => {
    const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
    for (let at = 0; at < source.length - 46; at++) {
      if (view.getUint32(at, true) !== 0x02014b50) continue;
      const entryName = new TextDecoder().decode(
        source.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)),
      );
      if (entryName === name) return { view, at };
    }
    throw new Error(`no ${name}`);
  };

  test('that are encrypted are refused', async () => {
    const encrypted = bytes.slice();
    const { view, at } = entry(encrypted, 'config.json');
    view.setUint16(at + 8, 1, true);
    await assertRefused(encrypted, /'config\.json' in the zip archive is encrypted/);
  });

  test('with an unknown compression are refused', async () => {
    const modified = bytes.slice();
    const { view, at } = entry(modified, 'config.json');
    view.setUint16(at + 10, 93, true);
    await assertRefused(modified, /compressed by method 93/, 'UnsupportedError');
  });

  test('that unpack to more than they say, or to too much, are refused', async () => {
    const zeros = zipSync(
      { 'config.json': new Uint8Array(120e6), 'model.weights.h5': new Uint8Array(1) },
      { level: 9 },
    );
    assert.ok(zeros.length < 200e3);
    await assertRefused(zeros, /120000000 bytes from \d+, \d+ times .* limits\.ratio/);
    const { view, at } = entry(zeros, 'config.json');
    view.setUint32(at + 24, 1000, true);
    await assertRefused(zeros, /decompresses to more than the 1000 bytes/);
    const modest = zipSync({
      'config.json': new Uint8Array(1e6),
      'model.weights.h5': new Uint8Array(1),
    });
    const { view: entryView, at: place } = entry(modest, 'config.json');
    entryView.setUint32(place + 24, 2e6, true);
    await assertRefused(modest, /has 1000000 bytes, but the directory says 2000000/);
  });

  test('compressed with any level are read like stored ones', async () => {
    for (const level of [1, 6, 9]) await assertLoads(editedFile('mlp', () => {}, { level }));
  });
});
