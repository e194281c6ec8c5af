// SPDX-License-Identifier: MIT
// Shows that memory stays bounded during a long prediction: a part of `npm run bench:load`.
import { rowsOfWords, steps } from './rows.mjs';

const kRows = 10_000;
const kBatch = 32;

/**
 * Memory use after each batch of a prediction with many rows, recorded by a layer at the end of the
 * model.
 */
export async function course(mf, model) {
  const records = [];
  class Watch extends mf.Layer {
    call(x) {
      const { bytes, heapBytes } = mf.memory();
      records.push({ bytes, heap: heapBytes });
      return x;
    }
  }
  const watchedModel = new mf.Sequential([...model.layers, new Watch()]);
  const x = mf.tensor(rowsOfWords(kRows), { shape: [kRows, steps] });
  const memoryBefore = mf.memory();
  const start = performance.now();
  const y = watchedModel.predict(x, { batchSize: kBatch });
  const milliseconds = performance.now() - start;
  const ends = y.data().length;
  const batches = records.slice(-Math.ceil(kRows / kBatch));
  const max = (name, list) => Math.max(...list.map((record) => record[name]));
  return {
    rows: kRows,
    batches: batches.length,
    numbers: ends,
    milliseconds,
    before: { bytes: memoryBefore.bytes, heap: memoryBefore.heapBytes },
    first: batches[0],
    last: batches.at(-1),
    grew: batches.flatMap(({ heap }, i) =>
      i > 0 && heap !== batches[i - 1].heap ? { batch: i + 1, heap } : [],
    ),
    most: { bytes: max('bytes', batches), heap: max('heap', batches) },
    after: mf.memory().heapBytes,
  };
}
