// SPDX-License-Identifier: MIT
// Forms of files of PyTorch beside those of tests/fixtures/torch/cases: weight_norm, spectral_norm,
// TorchScript, pickles of state dicts, and checkpoints with other values.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/torch.js';

const path = process.env.MASKFLOW_TORCH_FORMS;
const { cases, data } = JSON.parse(
  readFileSync(path ?? new URL('../fixtures/torch/forms.json', import.meta.url)),
);
const spectral = JSON.parse(
  gunzipSync(readFileSync(new URL('../fixtures/torch/spectral.json.gz', import.meta.url))),
);
const bytesOf = (text) => Uint8Array.from(Buffer.from(text, 'base64'));
const read = (name) => mf.readTorch(bytesOf(data[name]));

before(() => mf.ready());

describe('the layer of each form computes the numbers of PyTorch', () => {
  const ofSpectral = spectral.cases.map((each) => ({
    ...each,
    form: `spectral_norm, ${each.form}`,
  }));
  for (const [i, one] of [...cases, ...ofSpectral].entries()) {
    const { kind, form, dim, file: text, x, y, names } = one;
    test(`${i}: ${kind}, ${form}, dim ${dim}`, async () => {
      const file = await mf.readTorch(bytesOf(text));
      assert.deepEqual(file.names.toSorted(), names.toSorted());
      for (const name of names) assert.ok(file.get(name).size >= 0);
      const dtype = kind === 'Embedding' ? 'int32' : 'float32';
      const output = file.layer('part', { kind }).apply(mf.tensor(x, { dtype })).data();
      for (const [j, expected] of y.flat(2).entries()) {
        const limit = 1e-5 * Math.abs(expected) + 2e-6;
        assert.ok(Math.abs(output[j] - expected) <= limit, `${output[j]}, not ${expected}`);
      }
    });
  }
});

test('data has the values beside the weights', async () => {
  const { mean, std, ids, ...others } = (await read('checkpoint')).data;
  assert.deepEqual(others, {
    epoch: 3,
    vocab: { the: 1, film: 2 },
    classes: ['bad', 'good'],
    config: { hidden: 4, bias: true, name: null },
    big: 2n ** 60n,
    steps: [1, 2],
  });
  assert.deepEqual(mean.array(), [1.5, 2.5]);
  assert.deepEqual(std.array(), [0.5, 2]);
  assert.deepEqual([ids.dtype, ids.array()], ['int32', [[1, 2]]]);
});

test('data is the same object at each call', async () => {
  const file = await read('checkpoint');
  assert.equal(file.data, file.data);
});

test('data leaves weights and modules out', async () => {
  assert.deepEqual((await read('mixed')).data, { best: 0.5 });
  assert.deepEqual((await read('plain')).data, {});
  assert.deepEqual((await read('module')).data, { vocab: ['a'] });
});

test('data of safetensors is its metadata', async () => {
  const header = {
    __metadata__: { format: 'pt' },
    'fc.weight': { dtype: 'F32', shape: [1, 1], data_offsets: [0, 4] },
  };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(BigUint64Array.of(BigInt(json.length)).buffer);
  const file = await mf.readTorch(Uint8Array.from([...length, ...json, 0, 0, 128, 63]));
  assert.deepEqual(file.data, { format: 'pt' });
});

test('an empty view behind the end of its storage is read', async () => {
  const file = await read('empty view');
  assert.deepEqual(
    [file.get('b').shape, file.get('a.weight').array()],
    [
      [2, 0],
      [
        [1, 1],
        [1, 1],
      ],
    ],
  );
});

test('get returns the weight that weight_norm computes, and its parts', async () => {
  const { file: text, form } = cases.find((each) => each.form === 'old' && each.kind === 'Linear');
  assert.equal(form, 'old');
  const file = await mf.readTorch(bytesOf(text));
  const { shape } = file.get('part.weight');
  assert.deepEqual(file.get('part.weight_v').shape, shape);
  assert.ok(!file.names.includes('part.weight'));
});
