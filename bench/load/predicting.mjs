// SPDX-License-Identifier: MIT
import { rowsOfWords, steps } from './rows.mjs';

const kRows = 10_000;
const kBatch = 32;

/** What memory holds after each batch of a prediction of many rows, seen by a layer at the model's end. */
export async function course(mf, model) {
  const seen = [];
  class Watch extends mf.Layer {
    call(x) {
      const { bytes, heapBytes } = mf.memory();
      seen.push({ bytes, heap: heapBytes });
      return x;
    }
  }
  const watched = new mf.Sequential([...model.layers, new Watch()]);
  const x = mf.tensor(rowsOfWords(kRows), { shape: [kRows, steps] });
  const before = mf.memory();
  const start = performance.now();
  const y = watched.predict(x, { batchSize: kBatch });
  const milliseconds = performance.now() - start;
  const ends = y.data().length;
  const batches = seen.slice(-Math.ceil(kRows / kBatch));
  const most = (name, list) => Math.max(...list.map((one) => one[name]));
  return {
    rows: kRows,
    batches: batches.length,
    numbers: ends,
    milliseconds,
    before: { bytes: before.bytes, heap: before.heapBytes },
    first: batches[0],
    last: batches.at(-1),
    grew: batches.flatMap(({ heap }, i) =>
      i > 0 && heap !== batches[i - 1].heap ? { batch: i + 1, heap } : [],
    ),
    most: { bytes: most('bytes', batches), heap: most('heap', batches) },
    after: mf.memory().heapBytes,
  };
}
