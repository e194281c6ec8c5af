// SPDX-License-Identifier: MIT
// NumPy's files. The bytes in `numpy` were written by NumPy 1.24.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { internals } from '../../support/internals.js';

const { readNpy, writeNpy } = await internals('formats/numpy/npy.ts');
const { readNpz, writeNpz } = await internals('formats/numpy/npz.ts');

/** Builds a file with the given header and data. */
function npy(descr, shape, data, { fortran = false, version = 1 } = {}) {
  const order = fortran ? 'True' : 'False';
  const header = `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`;
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  length.writeUIntLE(header.length, 0, length.length);
  const magic = Buffer.from([0x93, ...Buffer.from('NUMPY'), version, 0]);
  return Buffer.concat([magic, length, Buffer.from(header), Buffer.from(data)]);
}
const bytesOf = (typed) => new Uint8Array(typed.buffer);
const byteSwapped = (typed) => {
  const size = typed.BYTES_PER_ELEMENT;
  const bytes = Array.from(bytesOf(typed));
  return bytes.map((_, i) => bytes[i - (i % size) + size - 1 - (i % size)]);
};
const numpy = {
  // np.asfortranarray(np.arange(24).reshape(2, 3, 4).astype('>f4'))
  fortran: [
    'k05VTVBZAQB2AHsnZGVzY3InOiAnPmY0JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMywgNC',
    'ksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAQUAA',
    'AECAAABBgAAAQQAAAEGgAAA/gAAAQVAAAECgAABBiAAAQRAAAEGoAABAAAAAQWAAAEDAAABBkAAAQSAAAEGwAABAQA',
    'AAQXAAAEDgAABBmAAAQTAAAEG4AAA=',
  ].join(''),
  // np.savez_compressed(input_0=int64 [[1, 2], [3, 4]], output_0=float16 [0.5, -1])
  npz: [
    'UEsDBBQAAAAIAAAAIQCgREtbUgAAAKAAAAALABQAaW5wdXRfMC5ucHkBABAAoAAAAAAAAABSAAAAAAAAAJvsF+obEM',
    'nIUMZQrZ6SWpxcpG6loG6TaaGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6CkaaOgq1CmQDLkYGCGCC',
    '0sxQmgVKAwBQSwMEFAAAAAgAAAAhABaAvFFIAAAAhAAAAAwAFABvdXRwdXRfMC5ucHkBABAAhAAAAAAAAABIAAAAAA',
    'AAAJvsF+obEMnIUMZQrZ6SWpxcpG6loG6TZqSuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6mjoKtQoU',
    'AC4GC4Y9AFBLAQIUAxQAAAAIAAAAIQCgREtbUgAAAKAAAAALAAAAAAAAAAAAAACAAQAAAABpbnB1dF8wLm5weVBLAQ',
    'IUAxQAAAAIAAAAIQAWgLxRSAAAAIQAAAAMAAAAAAAAAAAAAACAAY8AAABvdXRwdXRfMC5ucHlQSwUGAAAAAAIAAgBz',
    'AAAAFQEAAAAA',
  ].join(''),
};

suite('readNpy', () => {
  const numbers = {
    '<f4': [bytesOf(Float32Array.of(1.5, -2)), 'float32', [1.5, -2]],
    '>f4': [byteSwapped(Float32Array.of(1.5, -2)), 'float32', [1.5, -2]],
    '<f8': [bytesOf(Float64Array.of(0.1, -2)), 'float64', [0.1, -2]],
    '<f2': [[0x00, 0x3c, 0x01, 0x80], 'float16', [1, -(2 ** -24)]],
    '|b1': [[1, 0], 'bool', [1, 0]],
    '|i1': [[255, 1], 'int8', [-1, 1]],
    '|u1': [[255, 1], 'uint8', [255, 1]],
    '<i2': [bytesOf(Int16Array.of(-300, 1)), 'int16', [-300, 1]],
    '<i4': [bytesOf(Int32Array.of(-70000, 1)), 'int32', [-70000, 1]],
    '<i8': [bytesOf(BigInt64Array.of(-5n, 2n ** 40n)), 'int64', [-5, 2 ** 40]],
    '>i8': [byteSwapped(BigInt64Array.of(-5n, 2n ** 40n)), 'int64', [-5, 2 ** 40]],
    '<u4': [bytesOf(Uint32Array.of(2 ** 32 - 1, 1)), 'uint32', [2 ** 32 - 1, 1]],
  };
  for (const [descr, [data, dtype, values]] of Object.entries(numbers)) {
    test(`reads ${descr}`, () => {
      const array = readNpy(npy(`'${descr}'`, '(2,)', data));
      assert.deepEqual([array.shape, array.dtype, [...array.data]], [[2], dtype, values]);
    });
  }

  test('reads later versions of the format, scalars and empty arrays', () => {
    assert.deepEqual([...readNpy(npy("'|u1'", '(2,)', [7, 8], { version: 2 })).data], [7, 8]);
    assert.deepEqual(readNpy(npy("'|u1'", '()', [7])).shape, []);
    assert.deepEqual(readNpy(npy("'<f4'", '(0, 3)', [])).shape, [0, 3]);
  });

  test('converts Fortran order to row order', () => {
    const { shape, data } = readNpy(Buffer.from(numpy.fortran, 'base64'));
    assert.deepEqual(shape, [2, 3, 4]);
    assert.deepEqual([...data], [...Array(24).keys()]);
  });

  const invalidFiles = {
    'another file': [Buffer.from('hello world'), /first bytes differ/],
    'a cut off header': [npy("'<f4'", '(2,)', []).subarray(0, 30), /the file is cut short/],
    'missing data': [
      npy("'<f4'", '(2,)', [0, 0, 0, 0]),
      /\[2\] and dtype float32 needs 8 bytes, but has 4/,
    ],
    objects: [npy("'|O'", '(2,)', [1]), /'\|O'.*pad all rows/],
    strings: [npy("'<U3'", '(1,)', []), /'<U3'.*astype/],
    records: [npy("[('a', '<f4')]", '(1,)', [0, 0, 0, 0]), /records with fields/],
    'a header without a dictionary': [npy("'<f4'", 'x', []), /is not NumPy's/],
    'a size beyond all memory': [npy("'<f8'", '(99999999, 99999999)', []), /but has 0/],
  };
  for (const [title, [bytes, message]] of Object.entries(invalidFiles)) {
    test(`refuses ${title}`, () =>
      assert.throws(() => readNpy(bytes, 'x.npy'), { name: 'FormatError', message }));
  }
});

suite('npz', () => {
  test('reads what NumPy compressed', () => {
    const arrays = readNpz(Buffer.from(numpy.npz, 'base64'));
    assert.deepEqual([...arrays.keys()], ['input_0', 'output_0']);
    assert.deepEqual([...arrays.get('input_0').data], [1, 2, 3, 4]);
    assert.deepEqual([...arrays.get('output_0').data], [0.5, -1]);
  });

  test('reads what it writes', () => {
    const arrays = {
      a: { shape: [2, 1], dtype: 'float32', data: Float32Array.of(1, -2) },
      b: { shape: [], dtype: 'int32', data: Int32Array.of(5) },
      c: { shape: [3], dtype: 'bool', data: Uint8Array.of(1, 0, 1) },
    };
    const copies = readNpz(writeNpz(new Map(Object.entries(arrays))));
    for (const [name, array] of Object.entries(arrays)) assert.deepEqual(copies.get(name), array);
  });

  test('aligns the data of a written file to 64 bytes', () => {
    for (const shape of [[], [4], [2, 2], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4]]) {
      const size = shape.reduce((a, b) => a * b, 1);
      const bytes = writeNpy(shape, 'float32', new Float32Array(size));
      assert.equal((bytes.length - 4 * size) % 64, 0);
    }
  });
});
