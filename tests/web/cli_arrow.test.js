// SPDX-License-Identifier: MIT
// `maskflow run` with decimals, dates and timestamps of Arrow.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import * as arrow from 'apache-arrow';
import * as mf from '../../dist/index.js';
import { fail, scratch, succeed } from '../support/command.js';

const { path, write } = scratch();

suite('Arrow', () => {
  /** A column from its stored numbers, because the library rounds timestamps. */
  const stored = (type, data) =>
    arrow.makeVector(
      arrow.makeData({ type, length: 3, nullCount: 1, nullBitmap: Uint8Array.of(0b101), data }),
    );
  const { SECOND, MILLISECOND, MICROSECOND, NANOSECOND } = arrow.TimeUnit;
  const times = (unit, zone, ...values) =>
    stored(new arrow.Timestamp(unit, zone), BigInt64Array.from(values));
  // Each column has three rows, and the second one is null.
  const exact = {
    money: [
      stored(
        new arrow.Decimal(2, 20, 128),
        Uint32Array.of(12345, 0, 0, 0, 0, 0, 0, 0, ...[-5, -1, -1, -1]),
      ),
      [123.45, '-0.05'],
    ],
    large: [
      stored(
        new arrow.Decimal(-2, 50, 256),
        Uint32Array.from({ length: 24 }, (_, i) => (i < 2 ? 1 : 0)),
      ),
      [429496729700, '0'],
    ],
    second: [
      times(SECOND, 'UTC', 1700000000n, 0n, -1n),
      ['2023-11-14T22:13:20Z', '1969-12-31T23:59:59Z'],
    ],
    milli: [
      times(MILLISECOND, null, 1n, 0n, -1n),
      ['1970-01-01T00:00:00.001', '1969-12-31T23:59:59.999'],
    ],
    micro: [
      times(MICROSECOND, null, 1700000000123456n, 0n, 0n),
      ['2023-11-14T22:13:20.123456', '1970-01-01T00:00:00.000000'],
    ],
    nano: [
      times(NANOSECOND, 'Europe/Berlin', 1700000000123456789n, 0n, -1n),
      ['2023-11-14T22:13:20.123456789Z', '1969-12-31T23:59:59.999999999Z'],
    ],
    far: [times(SECOND, null, 2n ** 62n, 0n, 0n), [String(2n ** 62n), '1970-01-01T00:00:00']],
    day: [stored(new arrow.DateDay(), Int32Array.of(19000, 0, -1)), ['2022-01-08', '1969-12-31']],
    date: [
      stored(new arrow.DateMillisecond(), BigInt64Array.of(86400000n, 0n, 1n)),
      ['1970-01-02', '1970-01-01T00:00:00.001'],
    ],
  };
  const x = arrow.vectorFromArray([0.5, 1, 2], new arrow.Float64());
  const withExact = () =>
    new arrow.Table({
      x,
      ...Object.fromEntries(Object.entries(exact).map(([name, [column]]) => [name, column])),
    });
  const small = path('one_column.keras');
  before(async () => {
    await mf.ready();
    const model = new mf.Sequential([
      mf.Input({ shape: [1] }),
      mf.layers.dense({ units: 1, useBias: false }),
    ]);
    model.setWeights([[[2]]]);
    await model.save(small);
  });

  test('decimals, dates and timestamps pass through with all digits', () => {
    const input = write('exact.arrow', arrow.tableToIPC(withExact(), 'file'));
    const names = Object.keys(exact);
    const args = ['run', small, '-i', input, '--columns', 'x', '--id', names.join(',')];
    const { out } = succeed([...args, '--format', 'jsonl']);
    const lines = out.trimEnd().split('\n');
    for (const [i, row] of [0, 2].entries()) {
      for (const name of names) {
        const value = exact[name][1][i];
        const text = typeof value === 'number' || /^-?[\d.]+$/.test(value) ? value : `"${value}"`;
        assert.ok(lines[row].includes(`"${name}":${text}`), `${name}: ${lines[row]}`);
      }
    }
    assert.ok(names.every((name) => JSON.parse(lines[1])[name] === null));
    const csv = succeed([...args, '--format', 'csv']).out.split('\n');
    assert.equal(csv[1], `${names.map((name) => exact[name][1][0]).join(',')},1`);
    assert.equal(csv[2], `${names.map(() => '').join(',')},2`);
    const file = path('exact_out.arrow');
    succeed([...args, '-o', file]);
    const read = arrow.tableFromIPC(readFileSync(file));
    for (const name of names) {
      const [column] = exact[name];
      assert.equal(String(read.getChild(name).type), String(column.type));
      const [old, copy] = [column, read.getChild(name)].map((each) => [...each.data[0].values]);
      // The number behind a null has no meaning.
      const stride = old.length / 3;
      for (const row of [0, 2]) {
        const part = (list) => list.slice(row * stride, (row + 1) * stride);
        assert.deepEqual(part(copy), part(old), name);
      }
      assert.equal(read.getChild(name).get(1), null);
    }
  });

  test('one column of numbers is a row of one feature, and decimals are numbers', () => {
    const money = stored(
      new arrow.Decimal(2, 20, 128),
      Uint32Array.of(125, 0, 0, 0, 0, 0, 0, 0, ...[-1, -1, -1, -1]),
    );
    const input = write('money.arrow', arrow.tableToIPC(new arrow.Table({ money }), 'file'));
    const { out } = succeed(['run', small, '-i', input, '--on-error', 'null', '--format', 'jsonl']);
    const results = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(results, [[2.5], null, [Math.fround(-0.02)]]);
    const list = arrow.vectorFromArray(
      [[Uint32Array.of(1, 0, 0, 0)]],
      new arrow.List(new arrow.Field('item', new arrow.Decimal(2, 20, 128))),
    );
    const lists = write('lists.arrow', arrow.tableToIPC(new arrow.Table({ list }), 'file'));
    fail(
      ['run', small, '-i', lists],
      1,
      /column 'list' of 'lists\.arrow' has decimals inside of List<.*>; .*cast it to float64/,
    );
  });
});
