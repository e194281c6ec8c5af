// SPDX-License-Identifier: MIT
// The measurements of `npm run bench:load`, in Node and on a page: loading files as a model, merely
// reading and copying them, and memory during a long prediction.
import { inTurns } from '../loop.mjs';

/** Number of steps per row. It is small, because this workload measures the large weights. */
export const steps = 4;
export const words = 60_000;

/**
 * Reads files and copies their bytes into the memory of a new wasm module: the least that any
 * loader must do.
 */
async function readAndCopy(read) {
  const files = (await read()).map(
    (file) => new Uint8Array(file.buffer ?? file, file.byteOffset, file.byteLength),
  );
  const size = files.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const pages = Math.ceil(size / 65536);
  const memory = new Uint8Array(new WebAssembly.Memory({ initial: pages }).buffer);
  let to = 0;
  for (const file of files) {
    memory.set(file, to);
    to += file.byteLength;
  }
  return memory[to - 1];
}

/**
 * Returns the milliseconds of `count` loads, in turns with reading and copying. The first load is
 * also the first of the engine.
 */
export async function timesOf({ load, read }, count) {
  const runs = {
    load: { run: load, after: (model) => model.dispose() },
    copy: () => readAndCopy(read),
  };
  const { load: loads, copy } = await inTurns(runs, { rounds: count, warmUp: 0, collects: true });
  return { load: loads.times, copy: copy.times };
}

/** Returns rows of word ids with padding. */
function rowsOfWords(count) {
  const data = new Int32Array(count * steps);
  for (let i = 0; i < data.length; i++) {
    const length = 1 + (Math.floor(i / steps) % steps);
    data[i] = i % steps < length ? 1 + ((i * 7919) % (words - 1)) : 0;
  }
  return data;
}

/**
 * Memory use after each batch of a prediction with many rows, recorded by a layer at the end of the
 * model.
 */
export async function course(mf, model) {
  const [rows, batch] = [10_000, 32];
  const records = [];
  const memory = () => ({ bytes: mf.memory().bytes, heap: mf.memory().heapBytes });
  class Watch extends mf.Layer {
    call(x) {
      records.push(memory());
      return x;
    }
  }
  const watchedModel = new mf.Sequential([...model.layers, new Watch()]);
  const x = mf.tensor(rowsOfWords(rows), { shape: [rows, steps] });
  const before = memory();
  const start = performance.now();
  const y = watchedModel.predict(x, { batchSize: batch });
  const milliseconds = performance.now() - start;
  const batches = records.slice(-Math.ceil(rows / batch));
  const max = (name) => Math.max(...batches.map((record) => record[name]));
  return {
    rows,
    batches: batches.length,
    numbers: y.data().length,
    milliseconds,
    before,
    first: batches[0],
    last: batches.at(-1),
    grew: batches.flatMap(({ heap }, i) =>
      i > 0 && heap !== batches[i - 1].heap ? { batch: i + 1, heap } : [],
    ),
    most: { bytes: max('bytes'), heap: max('heap') },
    after: mf.memory().heapBytes,
  };
}
