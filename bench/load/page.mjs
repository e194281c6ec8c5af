// SPDX-License-Identifier: MIT
// Measures the same as node.mjs on a page: files by address, or as File objects.
import * as mf from '../../dist/index.js';
import { timesOf } from './loads.mjs';
import { course } from './predicting.mjs';

const address = (path) => new URL(`/build/load/${path}`, location.href);

async function bytesOf(path) {
  const response = await fetch(address(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.arrayBuffer();
}

const byAddress = ({ path, architecture, parts }) => ({
  load: () =>
    architecture
      ? mf.loadModel(address(architecture), { weights: address(path) })
      : mf.loadModel(address(path)),
  read: () => Promise.all(parts.map(bytesOf)),
});

async function asFiles({ parts, architecture }) {
  const names = architecture ? [architecture, ...parts] : parts;
  const files = await Promise.all(
    names.map(async (path) => new File([await bytesOf(path)], path.split('/').pop())),
  );
  return {
    load: () => mf.loadModel({ files }),
    read: () => Promise.all(files.map((file) => file.arrayBuffer())),
  };
}

async function total() {
  globalThis.gc();
  return (await performance.measureUserAgentSpecificMemory()).bytes;
}

globalThis.measureLoads = {
  async addresses(format, count) {
    await mf.ready();
    return timesOf(byAddress(format), count);
  },
  async files(format, count) {
    await mf.ready();
    return timesOf(await asFiles(format), count);
  },
  async memory(format) {
    await mf.ready();
    const memoryBefore = await total();
    globalThis.held = await byAddress(format).load();
    const resting = (await total()) - memoryBefore;
    return { weights: mf.memory().bytes, heap: mf.memory().heapBytes, resting };
  },
  async predict(format) {
    await mf.ready();
    return course(mf, await byAddress(format).load());
  },
};
