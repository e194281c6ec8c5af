// SPDX-License-Identifier: MIT
// Random tables of NumPy and Arrow, and odd ones, for run.js. Each has bytes, name, format, options
// and rows. A row has the numbers for the model, the text of its key, and isBad.
import * as arrow from 'apache-arrow';
import { integer, pick } from '../support/random.js';
import { zipSync } from 'fflate';

const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));
const encode = (text) => new TextEncoder().encode(text);

/** Types of NumPy: bytes of a number, a function that writes it, and one that draws it. */
const small = (random) => integer(random, 0, 100);
const signed = (random) => integer(random, -100, 100);
const real = (random) => Math.fround(random() * 2 - 1);
const dtypes = {
  f4: [4, (view, at, value, le) => view.setFloat32(at, value, le), real],
  f8: [8, (view, at, value, le) => view.setFloat64(at, value, le), (random) => random() - 0.5],
  i1: [1, (view, at, value) => view.setInt8(at, value), signed],
  i2: [2, (view, at, value, le) => view.setInt16(at, value, le), signed],
  i4: [4, (view, at, value, le) => view.setInt32(at, value, le), signed],
  i8: [8, (view, at, value, le) => view.setBigInt64(at, BigInt(value), le), signed],
  u1: [1, (view, at, value) => view.setUint8(at, value), small],
  u2: [2, (view, at, value, le) => view.setUint16(at, value, le), small],
  u4: [4, (view, at, value, le) => view.setUint32(at, value, le), small],
  u8: [8, (view, at, value, le) => view.setBigUint64(at, BigInt(value), le), small],
  b1: [1, (view, at, value) => view.setUint8(at, value), (random) => integer(random, 0, 1)],
};

/** The bytes of a .npy file of random numbers, and its rows. */
function npyFile(random, count, width) {
  const kind = pick(random, Object.keys(dtypes));
  const [size, write, value] = dtypes[kind];
  const rows = range(count, () => range(width, () => value(random)));
  const isFortran = random() < 0.3;
  const isLittle = random() < 0.7;
  const view = new DataView(new ArrayBuffer(count * width * size));
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < width; k++) {
      write(view, size * (isFortran ? k * count + i : i * width + k), rows[i][k], isLittle);
    }
  }
  const order = size === 1 ? '|' : isLittle ? '<' : '>';
  const header = `{'descr': '${order}${kind}', 'fortran_order': ${isFortran ? 'True' : 'False'}, 'shape': (${count}, ${width}), }`;
  const version = integer(random, 1, 2);
  const start = version === 1 ? 10 : 12;
  const length = Math.ceil((start + header.length + 1) / 64) * 64 - start;
  const lengths = new Uint8Array(version === 1 ? 2 : 4);
  new DataView(lengths.buffer)[version === 1 ? 'setUint16' : 'setUint32'](0, length, true);
  const bytes = Buffer.concat([
    Buffer.from(`\x93NUMPY`, 'latin1'),
    Uint8Array.of(version, 0),
    lengths,
    Buffer.from(`${header.padEnd(length - 1)}\n`),
    new Uint8Array(view.buffer),
  ]);
  return { bytes, rows: rows.map((cells) => ({ cells, key: undefined, isBad: false })) };
}

export function npyTable(random, count, width) {
  return { ...npyFile(random, count, width), name: 'in.npy', format: 'npy', options: [] };
}

export function npzTable(random, count, width) {
  const { bytes, rows } = npyFile(random, count, width);
  const level = pick(random, [0, 6]);
  return {
    bytes: zipSync({ 'x.npy': bytes }, { level }),
    ...{ name: 'in.npz', format: 'npz', options: [], rows },
  };
}

/** A column from the numbers that it stores; null where `values` has null. */
function stored(type, List, values, write) {
  const data = new List(
    values.length * (type.bitWidth && type.scale !== undefined ? type.bitWidth / 32 : 1),
  );
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8) + 8);
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    nullBitmap[i >> 3] |= 1 << (i & 7);
    write(data, i, value);
  }
  const nullCount = values.filter((value) => value === null).length;
  return arrow.makeVector(
    arrow.makeData({ type, length: values.length, nullCount, nullBitmap, data }),
  );
}

const setNumber = (data, i, value) => {
  data[i] = value;
};
const setWords = (words) => (data, i, value) => {
  for (let k = 0; k < words; k++) {
    data[i * words + k] = Number((value >> BigInt(32 * k)) & 0xffffffffn);
  }
};

const large = (random, bits) =>
  BigInt.asIntN(
    bits,
    BigInt(integer(random, -(2 ** 30), 2 ** 30)) *
      BigInt(integer(random, 1, 2 ** 30)) *
      (random() < 0.5 ? 1n : 2n ** 70n),
  );

function decimals(random, count) {
  const bits = pick(random, [128, 256]);
  const scale = integer(random, 0, 9);
  const values = range(count, () => large(random, bits));
  const digits = (value) => {
    const text = String(value < 0n ? -value : value).padStart(scale + 1, '0');
    const point = text.length - scale;
    const sign = value < 0n ? '-' : '';
    return scale === 0 ? sign + text : `${sign}${text.slice(0, point)}.${text.slice(point)}`;
  };
  return {
    values,
    text: digits,
    number: (value) => Number(digits(value)),
    make: (list) =>
      stored(new arrow.Decimal(scale, 70, bits), Uint32Array, list, setWords(bits / 32)),
  };
}

function timestamps(random, count) {
  const unit = integer(random, 0, 3);
  const zone = pick(random, [null, 'UTC', 'Asia/Tokyo']);
  const perSecond = 10n ** BigInt(3 * unit);
  const values = range(
    count,
    () =>
      BigInt(integer(random, -(2 ** 31), 2 ** 31)) * perSecond +
      BigInt(integer(random, 0, Number(perSecond) - 1)),
  );
  const text = (value) => {
    const rest = BigInt.asUintN(64, ((value % perSecond) + perSecond) % perSecond);
    const seconds = Number((value - rest) / perSecond);
    const date = new Date(1000 * seconds).toISOString().replace('.000Z', '');
    const digits = unit === 0 ? '' : `.${String(rest).padStart(3 * unit, '0')}`;
    return `"${date}${digits}${zone ? 'Z' : ''}"`;
  };
  const type = new arrow.Timestamp(unit, zone);
  return { values, text, make: (list) => stored(type, BigInt64Array, list, setNumber) };
}

function integers(random, count) {
  const isSigned = random() < 0.5;
  const type = isSigned ? new arrow.Int64() : new arrow.Uint64();
  const List = isSigned ? BigInt64Array : BigUint64Array;
  const limit = isSigned ? BigInt.asIntN : BigInt.asUintN;
  const values = range(count, () => limit(64, large(random, 128)));
  return { values, text: String, make: (list) => stored(type, List, list, setNumber) };
}

function days(random, count) {
  const values = range(count, () => integer(random, -30_000, 30_000));
  const text = (day) => `"${new Date(day * 86_400_000).toISOString().slice(0, 10)}"`;
  return { values, text, make: (list) => stored(new arrow.DateDay(), Int32Array, list, setNumber) };
}

function texts(random, count) {
  const values = range(count, () => pick(random, ['a', 'ü🙂', '', ' "q" ', '0012', 'a,b\n']));
  return {
    values,
    text: (value) => JSON.stringify(value),
    make: (list) => arrow.vectorFromArray(list, new arrow.Utf8()),
  };
}

function floats(random, count) {
  const type = pick(random, [new arrow.Float64(), new arrow.Float32()]);
  const values = range(count, () => real(random));
  return { values, number: Number, make: (list) => arrow.vectorFromArray(list, type) };
}

const counted = (random, count) => {
  const { values, make } = days(random, count);
  return {
    values,
    number: Number,
    make: () => arrow.vectorFromArray(values, new arrow.Int32()),
    raw: make,
  };
};

/** Columns of numbers, a key of any type, in one batch or two, as a file or a stream. */
export function arrowTable(random, count, width) {
  const columns = range(width, () => pick(random, [floats, decimals, counted])(random, count));
  const key = pick(random, [decimals, timestamps, integers, days, texts])(random, count);
  const hasNulls = random() < 0.4;
  const nullRows = range(count, () => hasNulls && random() < 0.2);
  const keyNulls = range(count, () => hasNulls && random() < 0.2);
  const without = (values, isNull) => values.map((value, i) => (isNull[i] ? null : value));
  const first = columns[0].number === Number && columns[0].raw ? null : columns[0];
  const names = columns.map((_, i) => `x${i}`);
  const vectors = columns.map((column, i) =>
    column.make(i === 0 && first ? without(column.values, nullRows) : column.values),
  );
  const keys = key.make(without(key.values, keyNulls));
  let table = new arrow.Table({
    ...Object.fromEntries(names.map((name, i) => [name, vectors[i]])),
    key: keys,
  });
  if (random() < 0.3) table = table.concat(table);
  const isStream = random() < 0.5;
  const rows = range(table.numRows, (n) => {
    const i = n % count;
    return {
      cells: columns.map((column) => column.number(column.values[i])),
      key: keyNulls[i] ? 'null' : key.text(key.values[i]),
      isBad: Boolean(first && nullRows[i]),
    };
  });
  return {
    bytes: arrow.tableToIPC(table, isStream ? 'stream' : 'file'),
    name: isStream ? 'in.arrows' : 'in.arrow',
    format: 'arrow',
    options: ['--columns', names.join(','), '--id', 'key'],
    rows,
  };
}

/**
 * Empty tables, and tables with two columns of one name. `message` is the error that they must
 * have, if they must have one.
 */
export function oddTable(random, width) {
  const heads = range(width, (i) => `x${i}`);
  const ones = heads.map(() => '1').join(',');
  const empty = npyFile(random, 0, width).bytes;
  const none = { x0: arrow.vectorFromArray([], new arrow.Float64()) };
  const [csv, jsonl] = ['csv', 'jsonl'].map((format) => ({ format, name: `in.${format}` }));
  const header = ['--header'];
  return pick(random, [
    () => ({
      ...csv,
      bytes: encode(pick(random, ['', '\n', ' \n\n', '\ufeff'])),
      options: [],
      message: /is empty|no rows/,
    }),
    () => ({
      ...csv,
      bytes: encode(`${heads}${pick(random, ['', '\n', '\r\n'])}`),
      options: header,
    }),
    () => ({
      ...jsonl,
      bytes: encode(pick(random, ['', '\n', '  \r\n'])),
      options: [],
      message: /is empty|no rows/,
    }),
    () => ({ ...jsonl, name: 'in.json', format: 'json', bytes: encode('[]'), options: [] }),
    () => ({ name: 'in.npy', format: 'npy', bytes: empty, options: [] }),
    () => ({ name: 'in.npz', format: 'npz', bytes: zipSync({ 'x.npy': empty }), options: [] }),
    () => ({ name: 'in.npz', format: 'npz', bytes: zipSync({}), options: [], message: /./ }),
    () => ({
      name: 'in.arrow',
      format: 'arrow',
      bytes: arrow.tableToIPC(new arrow.Table(none), 'file'),
      options: [],
    }),
    () => ({
      name: 'in.arrows',
      format: 'arrow',
      bytes: arrow.tableToIPC(new arrow.Table(none), 'stream'),
      options: ['--columns', 'x0'],
    }),
    () => ({
      ...csv,
      bytes: encode(`${heads},key,key\n${ones},a,b\n`),
      options: [...header, '--columns', `1-${width}`, '--id', 'key'],
      message: /are both called 'key'/,
    }),
    () => ({
      ...csv,
      bytes: encode(`x0,${heads},key\n9,${ones},a\n`),
      options: [...header, '--columns', 'x0', '--id', 'key'],
      message: /are both called 'x0'/,
    }),
    () => ({
      ...csv,
      bytes: encode(`${heads},key,key\n${ones},a,b\n`),
      options: [...header, '--columns', `1-${width}`, '--id', `${width + 2}`],
      rows: [{ cells: heads.map(() => 1), key: '"b"', isBad: false }],
    }),
    () => ({
      ...csv,
      bytes: encode(`${heads},key,key\n${ones},a,b\n`),
      options: [...header, '--columns', `1-${width}`, '--id', `${width + 1},${width + 2}`],
      message: /are both called 'key'/,
    }),
    () => ({
      ...jsonl,
      bytes: encode(`{"x":[${ones}],"key":1,"key":2}\n`),
      options: ['--columns', 'x', '--id', 'key'],
      rows: [{ cells: heads.map(() => 1), key: '2', isBad: false }],
    }),
  ])();
}
