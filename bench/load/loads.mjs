// SPDX-License-Identifier: MIT
// In Node and on a page: time to load files as a model, and time merely to read and copy them once.

/**
 * Reads a file and copies its bytes into the memory of a new wasm module: the least that any loader
 * must do.
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

async function timeOf(run) {
  const start = performance.now();
  const result = await run();
  return [performance.now() - start, result];
}

/**
 * Returns the milliseconds of `count` loads, in turns with reading and copying. The first load is
 * also the first of the engine.
 */
export async function timesOf({ load, read }, count) {
  const times = { load: [], copy: [] };
  for (let i = 0; i < count; i++) {
    const [loading, model] = await timeOf(load);
    times.load.push(loading);
    model.dispose();
    globalThis.gc?.();
    const [copying] = await timeOf(() => readAndCopy(read));
    times.copy.push(copying);
    globalThis.gc?.();
  }
  return times;
}
