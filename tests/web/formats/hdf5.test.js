// SPDX-License-Identifier: MIT
// The HDF5 reader against libhdf5: files of Keras, every kind of array, and hostile files.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readAll, readWithLibhdf5, writeWithLibhdf5 } from '../../support/hdf5.js';
import { internals } from '../../support/internals.js';
import { cpuTime } from '../../support/cpu_time.js';

const { openHdf5 } = await internals('formats/hdf5/open_hdf5.ts');
const { openZip } = await internals('formats/zip/read_zip.ts');
const models = new URL('../../fixtures/models/', import.meta.url);

/** Asserts that both readers find the same in a file. */
function agree(bytes) {
  const content = readAll(openHdf5(bytes));
  assert.deepEqual(content, readWithLibhdf5(bytes));
  return content;
}

describe('files of Keras', () => {
  const files = readdirSync(models);
  const hdf5 = files.filter((name) => name.endsWith('.h5'));
  const zips = files.filter((name) => name.endsWith('.keras'));
  assert.deepEqual([hdf5.length, zips.length], [24, 48]);
  for (const name of hdf5)
    test(name, () => void agree(new Uint8Array(readFileSync(new URL(name, models)))));
  for (const name of zips) {
    test(name, () => {
      const zip = openZip(new Uint8Array(readFileSync(new URL(name, models))));
      // A copy, because the file starts at an arbitrary offset of the archive; the reader must
      // accept that offset, too.
      const inside = zip.read('model.weights.h5');
      agree(inside.slice());
      assert.deepEqual(readAll(openHdf5(inside)), readAll(openHdf5(inside.slice())));
    });
  }
});

const count = (shape) => shape.reduce((a, b) => a * b, 1);
const kinds = {
  '<f4': Float32Array,
  '<f8': Float64Array,
  '<b': Int8Array,
  '<B': Uint8Array,
  '<h': Int16Array,
  '<H': Uint16Array,
  '<i': Int32Array,
  '<I': Uint32Array,
  '<q': BigInt64Array,
  '<Q': BigUint64Array,
};
const sequence = (Typed, shape) =>
  Typed.from({ length: count(shape) }, (_, i) =>
    Typed.name.startsWith('Big') ? BigInt(i) * 40_000_000_003n : (i * 7) % 120,
  );

describe('arrays of every kind', () => {
  for (const libver of [['earliest', 'v110'], 'v108', 'latest']) {
    for (const [dtype, Typed] of Object.entries(kinds)) {
      test(`${dtype}, ${libver}`, () => {
        const bytes = writeWithLibhdf5(
          (file) => {
            file.create_dataset({ name: 'a', data: sequence(Typed, [3, 5]), shape: [3, 5], dtype });
            file.create_dataset({ name: 'scalar', data: sequence(Typed, [1]), shape: [], dtype });
            file.create_dataset({ name: 'none', data: sequence(Typed, [0]), shape: [0, 4], dtype });
          },
          { libver },
        );
        agree(bytes);
      });
    }
  }

  test('chunked, compressed with gzip, with chunks that cross the edges', () => {
    const data = sequence(Float32Array, [10, 7, 3]);
    for (const chunks of [
      [10, 7, 3],
      [4, 3, 2],
      [3, 7, 1],
      [1, 1, 1],
      [16, 16, 16],
    ]) {
      for (const compression of [undefined, 'gzip']) {
        const shape = [10, 7, 3];
        const maxshape = shape.map((dim, i) => Math.max(dim, chunks[i]));
        const bytes = writeWithLibhdf5((file) =>
          file.create_dataset({ name: 'a', data, shape, maxshape, chunks, compression }),
        );
        agree(bytes);
      }
    }
  });

  test('chunk sizes that do not fit the array are damage', () => {
    const shape = [6, 8];
    const bytes = writeWithLibhdf5((file) =>
      file.create_dataset({
        name: 'a',
        data: sequence(Float32Array, shape),
        shape,
        maxshape: shape,
        chunks: [3, 5],
      }),
    );
    agree(bytes);
    // The bytes of a layout message: version 3, chunked, 3 sizes (including the element size), the
    // address of the tree, and the sizes 3, 5 and 4.
    const text = Buffer.from(bytes).toString('latin1');
    const sizes = text.indexOf('\x03\0\0\0\x05\0\0\0\x04\0\0\0');
    const rank = sizes - 9;
    assert.equal(text.slice(rank - 2, rank + 1), '\x03\x02\x03');
    const withDamage = (place, value) => {
      const copy = bytes.slice();
      copy[place] = value;
      return () => openHdf5(copy).get('a').read();
    };
    for (const [place, value, message] of [
      [sizes, 0, /'\/a' of shape \[6,8\] has chunks of shape \[0,5\]/],
      [sizes + 4, 0, /'\/a' of shape \[6,8\] has chunks of shape \[3,0\]/],
      [rank, 2, /'\/a' of shape \[6,8\] has chunks of shape \[3\]/],
      [rank, 4, /'\/a' of shape \[6,8\] has chunks of shape \[3,5,4\]/],
    ]) {
      assert.throws(withDamage(place, value), { name: 'FormatError', message });
    }
    assert.throws(withDamage(sizes, 1), { name: 'FormatError', message: /its shape needs 12/ });
  });

  test('pieces that would unpack to far more than the file are refused', async () => {
    const { Budget } = await internals('formats/open/budget.ts');
    const shape = [20, 2 ** 20];
    const bytes = writeWithLibhdf5((file) =>
      file.create_dataset({
        name: 'a',
        data: new Float32Array(20 * 2 ** 20),
        shape,
        maxshape: shape,
        chunks: [1, 2 ** 20],
        compression: 'gzip',
      }),
    );
    const read = (limits) => {
      const budget = new Budget(limits);
      budget.read(bytes.length, 'the file');
      return () => openHdf5(bytes, budget).get('a').read();
    };
    assert.throws(read({ ratio: 10 }), { message: /ratio/ });
    assert.equal(read({ ratio: 1e6 })().length, 20 * 2 ** 20);
  });

  test('an empty array in pieces is read', () => {
    const bytes = writeWithLibhdf5((file) =>
      file.create_dataset({
        name: 'a',
        data: new Float32Array(0),
        shape: [0, 3],
        maxshape: [4, 3],
        chunks: [2, 3],
      }),
    );
    const array = openHdf5(bytes).get('a');
    assert.deepEqual([[...array.shape], array.read().length], [[0, 3], 0]);
  });

  const shuffle = 2;
  const fletcher = 3;
  for (const [name, filter] of Object.entries({ shuffle, fletcher })) {
    test(`pieces with the filter ${name} are read`, () => {
      const shape = [5, 4];
      const options = {
        maxshape: shape,
        chunks: [2, 3],
        compression: filter,
        compression_opts: [],
      };
      for (const dtype of ['<f4', '<f8', '<h', '<b']) {
        const data = sequence(kinds[dtype], shape);
        agree(
          writeWithLibhdf5((file) =>
            file.create_dataset({ name: 'a', data, shape, dtype, ...options }),
          ),
        );
      }
    });
  }

  test('layouts of versions 1 and 2, of files before 2004, are read', () => {
    const shape = [3, 4, 5];
    const data = sequence(Float32Array, shape);
    const bytes = writeWithLibhdf5((file) => file.create_dataset({ name: 'a', data, shape }));
    const view = new DataView(bytes.buffer);
    const isLayout = (at) =>
      bytes[at] === 3 && bytes[at + 1] === 1 && view.getUint32(at + 10, true) === 240;
    const places = [...bytes.keys()].filter((at) => at + 18 <= bytes.length && isLayout(at));
    assert.equal(places.length, 1);
    const [at] = places;
    // In older versions the rank and five unused bytes precede the address.
    const withVersion = (version) => {
      const copy = bytes.slice();
      copy.set([version, shape.length, 1, 0, 0, 0, 0, 0], at);
      copy.set(bytes.subarray(at + 2, at + 10), at + 8);
      return openHdf5(copy).get('a');
    };
    for (const version of [1, 2]) assert.deepEqual([...withVersion(version).read()], [...data]);
    assert.throws(() => withVersion(5).read(), {
      name: 'UnsupportedError',
      message: /a layout of version 5/,
    });
  });

  test('half floats, bfloat16 and big-endian numbers are read', async () => {
    const { decode, decodeInto } = await internals('formats/hdf5/decode.ts');
    const bits = new Uint8Array(
      new Uint16Array([0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00, 0x0000]).buffer,
    );
    const half = { kind: 'float16', size: 2, bigEndian: false };
    assert.deepEqual(
      [...decode(bits, half)],
      [1, -2, 65504, 2 ** -24, Number.POSITIVE_INFINITY, 0],
    );
    const brain = new Uint8Array(new Uint16Array([0x3f80, 0xc040]).buffer);
    assert.deepEqual([...decode(brain, { ...half, kind: 'bfloat16' })], [1, -3]);
    const big = new Uint8Array([0x3f, 0x80, 0, 0, 0xc0, 0x40, 0, 0]);
    assert.deepEqual([...decode(big, { kind: 'float32', size: 4, bigEndian: true })], [1, -3]);
    // Writing into an existing array leads to the same numbers, from any offset and in several
    // pieces.
    for (const kind of ['float16', 'bfloat16', 'float32', 'float64', 'int64', 'uint8', 'bool']) {
      const size = { float16: 2, bfloat16: 2, float32: 4, uint8: 1, bool: 1 }[kind] ?? 8;
      for (const bigEndian of [false, true]) {
        const type = { kind, size, bigEndian };
        const bytes = Uint8Array.from({ length: 70_000 * size + 1 }, (_, i) => (i * 31) % 127);
        const unaligned = bytes.subarray(1);
        const floats = new Float32Array(70_000);
        decodeInto(floats, unaligned, type);
        assert.deepEqual(floats, Float32Array.from(decode(unaligned, type)), kind);
      }
    }
  });

  test('every half float is read', async () => {
    const { fromHalves } = await internals('formats/hdf5/half.ts');
    const floats = fromHalves(Uint16Array.from({ length: 65536 }, (_, i) => i));
    // A float16 has five exponent bits and ten fraction bits (IEEE 754-2008, 3.4).
    const expected = Float32Array.from({ length: 65536 }, (_, bits) => {
      const sign = bits & 0x8000 ? -1 : 1;
      const exponent = (bits >> 10) & 31;
      const fraction = bits & 1023;
      if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
      if (exponent === 0) return sign * fraction * 2 ** -24;
      return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
    });
    assert.deepEqual(new Uint32Array(floats.buffer), new Uint32Array(expected.buffer));
  });
});

describe('groups and attributes', () => {
  for (const libver of [['earliest', 'v110'], 'v108', 'latest']) {
    test(`many of them, ${libver}`, () => {
      const bytes = writeWithLibhdf5(
        (file) => {
          for (let i = 0; i < 400; i++) {
            const group = file.create_group(`layer_${i}`);
            group.create_attribute('name', `layer ${i} ä`);
            if (i < 20) group.create_dataset({ name: '0', data: new Float32Array([i]) });
          }
          const many = file.create_group('many');
          for (let i = 0; i < 30; i++) many.create_attribute(`attribute_${i}`, `value ${i}`);
          many.create_attribute('names', ['alpha', 'b', ''], [3], 'S5');
          many.create_attribute('number', 3.5);
          many.create_attribute('whole', new Int32Array([1, 2, 3]));
        },
        { libver },
      );
      const content = agree(bytes);
      assert.equal(Object.keys(content).length, 422);
      assert.equal(Object.keys(content.many.attributes).length, 33);
    });
  }

  test('a path goes through groups; a missing one is undefined', () => {
    const bytes = writeWithLibhdf5((file) => {
      file.create_group('a').create_dataset({ name: 'b', data: new Float32Array([5]) });
    });
    const root = openHdf5(bytes);
    assert.equal(root.get('a/b').read()[0], 5);
    assert.equal(root.get('/a').path, 'a');
    assert.equal(root.get('a/c'), undefined);
    assert.equal(root.get('a/b/c'), undefined);
  });

  test('a user block may precede the file', () => {
    const bytes = writeWithLibhdf5((file) =>
      file.create_dataset({ name: 'a', data: new Float32Array([5]) }),
    );
    const withUserBlock = new Uint8Array(512 + bytes.length);
    withUserBlock.set(bytes, 512);
    assert.equal(openHdf5(withUserBlock).get('a').read()[0], 5);
  });
});

/** Asserts that reading the whole file ends quickly, with numbers or a typed error. */
function endsWell(bytes) {
  const start = cpuTime();
  try {
    readAll(openHdf5(bytes));
  } catch (error) {
    assert.match(error.name, /^(FormatError|UnsupportedError)$/, error.stack);
  }
  assert.ok(cpuTime() - start < 2000);
}

describe('files that are damaged or hostile', () => {
  const intact = new Uint8Array(readFileSync(new URL('seq_embed_gru_stack.h5', models)));

  test('a file that is not HDF5 is refused', () => {
    assert.throws(() => openHdf5(new Uint8Array(0)), /FormatError|not an HDF5/);
    assert.throws(() => openHdf5(new TextEncoder().encode('x'.repeat(600))), /not an HDF5 file/);
  });

  test('a file cut short anywhere is reported as such', () => {
    for (let size = 96; size < intact.length; size += 97) {
      assert.throws(
        () => openHdf5(intact.subarray(0, size)),
        /cut short: it states \d+ bytes, but has \d+/,
      );
    }
    for (let size = 8; size < 96; size++) {
      assert.throws(() => openHdf5(intact.subarray(0, size)), /FormatError|damaged|cut short/);
    }
  });

  test('structure bytes set to 0, 255 and another value', () => {
    for (let at = 8; at < 6000; at += 3) {
      for (const value of [0, 255, intact[at] ^ 8]) {
        const bytes = intact.slice();
        bytes[at] = value;
        endsWell(bytes);
      }
    }
  });

  test('a group that contains itself, and a size of terabytes', () => {
    const bytes = writeWithLibhdf5((file) => {
      file.create_group('g').create_hard_link('/', 'again');
      file.create_dataset({ name: 'd', data: new Float32Array([1, 2, 3]) });
    });
    const root = openHdf5(bytes);
    // The reader follows groups only as deep as the path.
    assert.equal(root.get('g/again/g/again/d').read()[2], 3);
    const view = new DataView(bytes.buffer);
    // Finds the size of the dataset, which is stored before its maximum size.
    const isSize = (at) =>
      at + 16 < bytes.length &&
      view.getBigUint64(at, true) === 3n &&
      view.getBigUint64(at + 8, true) === 3n;
    const dims = bytes.findIndex((_, at) => isSize(at));
    assert.ok(dims > 0);
    view.setBigUint64(dims, 2n ** 40n, true);
    const huge = openHdf5(bytes).get('d');
    assert.equal(huge.shape[0], 2 ** 40);
    assert.throws(() => huge.read(), /has 4398046511104 bytes/);
  });
});
