// SPDX-License-Identifier: MIT
// libhdf5 reads the files of the HDF5 writer.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readAll, readWithLibhdf5 } from '../../support/hdf5.js';
import { internals } from '../../support/internals.js';

const { NewGroup, writeHdf5 } = await internals('formats/hdf5_writer/write_hdf5.ts');
const { openHdf5 } = await internals('formats/hdf5/open_hdf5.ts');

/** Returns what libhdf5 reads, and asserts that our own reader reads the same. */
function read(root) {
  const bytes = writeHdf5(root);
  const content = readWithLibhdf5(bytes);
  assert.deepEqual(readAll(openHdf5(bytes)), content);
  return content;
}

const bytesOf = (typed) => new Uint8Array(typed.buffer);
const dataset = (dtype, data, shape = [data.length]) => ({ dtype, data, shape });

suite('the HDF5 writer', () => {
  const arrays = {
    bool: [Uint8Array.of(1, 0, 1), [1, 0, 1]],
    int8: [Int8Array.of(-128, 5, 127), [-128, 5, 127]],
    uint8: [Uint8Array.of(0, 5, 255), [0, 5, 255]],
    int16: [Int16Array.of(-32768, 5, 6), [-32768, 5, 6]],
    int32: [Int32Array.of(-(2 ** 31), 5, 6), [-(2 ** 31), 5, 6]],
    uint32: [Uint32Array.of(2 ** 32 - 1, 5, 6), [2 ** 32 - 1, 5, 6]],
    int64: [bytesOf(BigInt64Array.of(-5n, 2n ** 40n, 6n)), [-5, 2 ** 40, 6]],
    float32: [Float32Array.of(0.1, Number.NaN, -1e30), [Math.fround(0.1), NaN, Math.fround(-1e30)]],
    float64: [Float64Array.of(0.1, -0, 1e300), [0.1, -0, 1e300]],
  };
  for (const [dtype, [data, values]] of Object.entries(arrays)) {
    test(`writes ${dtype}`, () => {
      const root = new NewGroup();
      root.children.set('x', dataset(dtype, data, [3]));
      assert.deepEqual(read(root).x.values, values);
    });
  }

  test('writes scalars, tables and empty arrays', () => {
    const root = new NewGroup();
    root.children.set('scalar', dataset('float32', Float32Array.of(3), []));
    root.children.set('table', dataset('float32', Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]));
    root.children.set('empty', dataset('float32', new Float32Array(0), [0, 3]));
    const { scalar, table, empty } = read(root);
    assert.deepEqual([scalar.shape, scalar.values], [[], 3]);
    assert.deepEqual(
      [table.shape, table.values],
      [
        [2, 3],
        [1, 2, 3, 4, 5, 6],
      ],
    );
    assert.deepEqual(empty.shape, [0, 3]);
  });

  for (const count of [0, 1, 8, 9, 256, 257, 3000, 9000]) {
    test(`writes a group with ${count} members`, () => {
      const root = new NewGroup();
      for (let i = 0; i < count; i++) root.group(`layers/layer_${i}`);
      root.group('layers');
      const { layers, ...others } = read(root);
      assert.ok(layers);
      assert.equal(Object.keys(others).length, count + 1);
      for (let i = 0; i < count; i++) assert.ok(others[`layers/layer_${i}`], `layer_${i}`);
    });
  }

  test('writes strings of all lengths and alphabets', () => {
    const root = new NewGroup();
    const long = 'x'.repeat(300_000);
    const names = Array.from({ length: 4000 }, (_, i) => `größe_${i}`);
    root.attributes.set('name', 'αβγ');
    root.attributes.set('none', '');
    root.attributes.set('long', long);
    root.attributes.set('many', names);
    root.attributes.set('fixed', { fixed: ['ab', 'abcd'] });
    root.attributes.set('numbers', dataset('float64', Float64Array.of(1, 2)));
    const { attributes } = read(root)[''];
    assert.deepEqual(attributes, {
      name: 'αβγ',
      none: '',
      long,
      many: names,
      fixed: ['ab', 'abcd'],
      numbers: [1, 2],
    });
  });

  test('refuses what HDF5 cannot store', () => {
    const refuses = (fill, pattern) => {
      const write = () => {
        const root = new NewGroup();
        fill(root);
        writeHdf5(root);
      };
      assert.throws(write, { name: 'FormatError', message: pattern });
    };
    refuses((root) => root.children.set('a/b', new NewGroup()), /'a\/b' cannot be the name/);
    refuses(
      (root) => root.children.set('x', dataset('float32', new Float32Array(3), [2, 2])),
      /'x' of shape \[2,2\] and dtype float32 needs 16 bytes, but has 12/,
    );
    refuses((root) => root.children.set('x', dataset('complex', new Uint8Array(1))), /'complex'/);
    const numbers = dataset('float64', new Float64Array(9000));
    refuses((root) => root.attributes.set('a', numbers), /'a' has 720\d\d bytes.* at most 65528/);
    refuses((root) => {
      root.children.set('x', dataset('uint8', new Uint8Array(1)));
      root.group('x/y');
    }, /'x' in x\/y is a dataset/);
  });
});
