// SPDX-License-Identifier: MIT
// `maskflow run --threads auto`: the work of the first batch decides whether helpers start.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as mf from '../../dist/index.js';
import { countedThreads } from '../support/command_threads.js';

const { path, write, run: runCounted } = countedThreads();

/** Runs a model; returns the output, the messages and the number of helpers. */
async function run(model, input, args = [], variables = {}) {
  const all = [path(model), '-i', input, '-q', '--format', 'jsonl', ...args];
  const { code, out, err, threads } = await runCounted(all, variables);
  return { code, out, err, helpers: threads };
}

const ids = Array.from({ length: 700 }, (_, i) =>
  Array.from({ length: 20 }, (_, k) => (k < 3 + (i % 18) ? 1 + ((i * 7 + k * 5) % 9) : 0)),
);
const toLines = (rows) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;
const table = write('ids.jsonl', toLines(ids));

before(async () => {
  await mf.ready({ seed: 1, onMaskDropped: 'silent' });
  const embedding = () => mf.layers.embedding({ inputDim: 10, outputDim: 16, maskZero: true });
  const save = async (name, shape, ...layers) => {
    const input = name === 'stateful' ? { batchShape: [32, ...shape] } : { shape };
    writeFileSync(path(name), await new mf.Sequential([mf.Input(input), ...layers]).save());
  };
  const { dense, flatten, lstm } = mf.layers;
  await save('dense', [20], dense({ units: 32 }), dense({ units: 1 }));
  await save('small', [20], embedding(), lstm({ units: 16 }), dense({ units: 1 }));
  await save('large', [20], embedding(), lstm({ units: 96 }), dense({ units: 1 }));
  await save('stateful', [20], embedding(), lstm({ units: 4, stateful: true }));
  await save('dropping', [20], embedding(), flatten(), dense({ units: 1 }));
});

suite('--threads auto', () => {
  const counts = [
    ['one thread for small dense layers', 'dense', [], 0],
    ['one thread for a small LSTM', 'small', [], 0],
    ['a thread for each core for a large LSTM', 'large', [], 2],
    ['one thread for small batches of a large LSTM', 'large', ['--batch-size', '1'], 0],
    ['several for large batches of a small LSTM', 'small', ['--batch-size', '600'], 2],
    ['several for a stateful model, whose work is not counted', 'stateful', ['-b', '32'], 2],
    ['as many as the option says, for a small model', 'small', ['--threads', '3'], 2],
    ['one if the option says so, for a large model', 'large', ['--threads', '1'], 0],
  ];
  for (const [title, model, args, helpers] of counts) {
    test(`chooses ${title}`, async () => {
      const input = model === 'stateful' ? write('full.jsonl', toLines(ids.slice(0, 640))) : table;
      const result = await run(model, input, args);
      assert.deepEqual([result.code, result.err, result.helpers], [0, '', helpers]);
    });
  }

  test('counts the work also if MASKFLOW_THREADS says auto', async () => {
    const variables = { MASKFLOW_THREADS: 'auto' };
    assert.equal((await run('small', table, [], variables)).helpers, 0);
    assert.equal((await run('large', table, [], variables)).helpers, 2);
    assert.equal((await run('small', table, [], { MASKFLOW_THREADS: '2' })).helpers, 1);
  });

  test('writes the same bytes as one thread and as three', async () => {
    for (const model of ['small', 'large']) {
      const one = (await run(model, table, ['--threads', '1'])).out;
      assert.equal(one.split('\n').length, 701);
      for (const args of [[], ['--threads', '3']])
        assert.equal((await run(model, table, args)).out, one);
    }
  });

  test('does not repeat the warning about a dropped mask', async () => {
    const [auto, one] = await Promise.all(
      [[], ['--threads', '1']].map((args) => run('dropping', table, args)),
    );
    assert.match(one.err, /mask/);
    assert.equal(auto.err, one.err);
    assert.equal(auto.helpers, 0);
  });

  test('names the bad row of the first batch as one thread does', async () => {
    const bad = write('bad.jsonl', toLines([ids[0], ids[1].with(3, 11), ids[2]]));
    for (const more of [[], ['--on-error', 'null']]) {
      const [auto, one] = await Promise.all(
        [[], ['--threads', '1']].map((args) => run('large', bad, [...args, ...more])),
      );
      assert.match(one.err, /line 2 of/);
      assert.deepEqual([auto.code, auto.err, auto.out], [one.code, one.err, one.out]);
    }
  });

  test('does not count the work of modules of --import, which may notice it', async () => {
    const empty = pathToFileURL(write('empty.mjs', '')).pathname;
    assert.equal((await run('small', table, ['--import', empty])).helpers, 2);
  });
});
