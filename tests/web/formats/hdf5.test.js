// SPDX-License-Identifier: MIT
// The HDF5 reader against libhdf5: what Keras wrote, every kind of array, and files that want to do harm.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readAll, readWithLibhdf5, writeWithLibhdf5 } from '../../support/hdf5.js';
import { internals } from '../../support/internals.js';

const { openHdf5 } = await internals('formats/hdf5.ts');
const { openZip } = await internals('formats/zip.ts');
const models = new URL('../../fixtures/models/', import.meta.url);

/** What both readers make of a file is one and the same. */
function agree(bytes) {
  const ours = readAll(openHdf5(bytes));
  assert.deepEqual(ours, readWithLibhdf5(bytes));
  return ours;
}

describe('what Keras wrote', () => {
  const files = readdirSync(models);
  const hdf5 = files.filter((name) => name.endsWith('.h5'));
  const zips = files.filter((name) => name.endsWith('.keras'));
  assert.deepEqual([hdf5.length, zips.length], [24, 48]);
  for (const name of hdf5)
    test(name, () => void agree(new Uint8Array(readFileSync(new URL(name, models)))));
  for (const name of zips) {
    test(name, () => {
      const zip = openZip(new Uint8Array(readFileSync(new URL(name, models))));
      // A copy: inside of the archive it begins anywhere, which the reader must bear too.
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
const filled = (Typed, shape) =>
  Typed.from({ length: count(shape) }, (_, i) =>
    Typed.name.startsWith('Big') ? BigInt(i) * 40_000_000_003n : (i * 7) % 120,
  );

describe('arrays of every kind', () => {
  for (const libver of [['earliest', 'v110'], 'v108', 'latest']) {
    for (const [dtype, Typed] of Object.entries(kinds)) {
      test(`${dtype}, ${libver}`, () => {
        const bytes = writeWithLibhdf5(
          (file) => {
            file.create_dataset({ name: 'a', data: filled(Typed, [3, 5]), shape: [3, 5], dtype });
            file.create_dataset({ name: 'scalar', data: filled(Typed, [1]), shape: [], dtype });
            file.create_dataset({ name: 'none', data: filled(Typed, [0]), shape: [0, 4], dtype });
          },
          { libver },
        );
        agree(bytes);
      });
    }
  }

  test('in pieces, packed with gzip, over the edges', () => {
    const data = filled(Float32Array, [10, 7, 3]);
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

  test('half floats, bfloat16 and big-endian numbers', async () => {
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
    // What is written into an array that is there is the same, from any address and in several pieces.
    for (const kind of ['float16', 'bfloat16', 'float32', 'float64', 'int64', 'uint8', 'bool']) {
      const size = { float16: 2, bfloat16: 2, float32: 4, uint8: 1, bool: 1 }[kind] ?? 8;
      for (const bigEndian of [false, true]) {
        const type = { kind, size, bigEndian };
        const own = Uint8Array.from({ length: 70_000 * size + 1 }, (_, i) => (i * 31) % 127);
        const moved = own.subarray(1);
        const floats = new Float32Array(70_000);
        decodeInto(floats, moved, type);
        assert.deepEqual(floats, Float32Array.from(decode(moved, type)), kind);
      }
    }
  });

  test('every half float', async () => {
    const { fromHalves } = await internals('formats/half.ts');
    const floats = fromHalves(Uint16Array.from({ length: 65536 }, (_, i) => i));
    // IEEE 754-2008, 3.4: five bits of exponent, ten of fraction.
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
      const found = agree(bytes);
      assert.equal(Object.keys(found).length, 422);
      assert.equal(Object.keys(found.many.attributes).length, 33);
    });
  }

  test('a path goes through groups; what is not there is undefined', () => {
    const bytes = writeWithLibhdf5((file) => {
      file.create_group('a').create_dataset({ name: 'b', data: new Float32Array([5]) });
    });
    const root = openHdf5(bytes);
    assert.equal(root.get('a/b').read()[0], 5);
    assert.equal(root.get('/a').path, 'a');
    assert.equal(root.get('a/c'), undefined);
    assert.equal(root.get('a/b/c'), undefined);
  });

  test('a block of the user may stand before the file', () => {
    const bytes = writeWithLibhdf5((file) =>
      file.create_dataset({ name: 'a', data: new Float32Array([5]) }),
    );
    const moved = new Uint8Array(512 + bytes.length);
    moved.set(bytes, 512);
    assert.equal(openHdf5(moved).get('a').read()[0], 5);
  });
});

/** Whatever is done to the file, reading all of it ends quickly, with numbers or a typed error. */
function endsWell(bytes) {
  const start = performance.now();
  try {
    readAll(openHdf5(bytes));
  } catch (error) {
    assert.match(error.name, /^(FormatError|UnsupportedError)$/, error.stack);
  }
  assert.ok(performance.now() - start < 2000);
}

describe('files that are damaged or hostile', () => {
  const whole = new Uint8Array(readFileSync(new URL('seq_embed_gru_stack.h5', models)));

  test('no HDF5 file at all', () => {
    assert.throws(() => openHdf5(new Uint8Array(0)), /FormatError|no HDF5/);
    assert.throws(() => openHdf5(new TextEncoder().encode('x'.repeat(600))), /no HDF5 file/);
  });

  test('cut short anywhere, it says so', () => {
    for (let size = 96; size < whole.length; size += 97) {
      assert.throws(
        () => openHdf5(whole.subarray(0, size)),
        /cut short: .* has \d+ bytes, but there are \d+/,
      );
    }
    for (let size = 8; size < 96; size++) {
      assert.throws(() => openHdf5(whole.subarray(0, size)), /FormatError|damaged|cut short/);
    }
  });

  test('bytes of structure set to 0, 255 and another', () => {
    for (let at = 8; at < 6000; at += 3) {
      for (const value of [0, 255, whole[at] ^ 8]) {
        const bytes = whole.slice();
        bytes[at] = value;
        endsWell(bytes);
      }
    }
  });

  test('a group that contains itself, and terabytes', () => {
    const bytes = writeWithLibhdf5((file) => {
      file.create_group('g').create_hard_link('/', 'again');
      file.create_dataset({ name: 'd', data: new Float32Array([1, 2, 3]) });
    });
    const root = openHdf5(bytes);
    // Only as deep as one asks.
    assert.equal(root.get('g/again/g/again/d').read()[2], 3);
    const view = new DataView(bytes.buffer);
    // Its size, then the greatest that it may grow to.
    const isSize = (at) =>
      at + 16 < bytes.length &&
      view.getBigUint64(at, true) === 3n &&
      view.getBigUint64(at + 8, true) === 3n;
    const dims = bytes.findIndex((_, at) => isSize(at));
    assert.ok(dims > 0);
    view.setBigUint64(dims, 2n ** 40n, true);
    const huge = openHdf5(bytes).get('d');
    assert.equal(huge.shape[0], 2 ** 40);
    assert.throws(() => huge.read(), /takes 4398046511104 bytes/);
  });
});
