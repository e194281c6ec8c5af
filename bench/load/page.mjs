// SPDX-License-Identifier: MIT
// The page of `npm run bench:load`: measures the same as node.mjs, with files by address or as File
// objects.
import * as mf from '../../dist/index.js';
import { course, timesOf } from './loads.mjs';

const address = (path) => new URL(`/build/load/${path}`, location.href);

async function bytesOf(path) {
  const response = await fetch(address(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.arrayBuffer();
}

const byAddress = ({ path, architecture, parts }) => ({
  load: () =>
    mf.loadModel(address(architecture ?? path), architecture && { weights: address(path) }),
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

const tasks = {
  addresses: (format, count) => timesOf(byAddress(format), count),
  files: async (format, count) => timesOf(await asFiles(format), count),
  async memory(format) {
    const before = await total();
    globalThis.held = await byAddress(format).load();
    const resting = (await total()) - before;
    return { weights: mf.memory().bytes, heap: mf.memory().heapBytes, resting };
  },
  predict: async (format) => course(mf, await byAddress(format).load()),
};

globalThis.measure = async (task, format, count) => {
  await mf.ready();
  return tasks[task](format, count);
};
