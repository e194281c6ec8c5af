// SPDX-License-Identifier: MIT
// Packages with a number of threads. The number belongs to an instance, so each has a copy of the
// package of its own.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at } from '../../scripts/lib/files.mjs';
import { preparedNative } from '../peers/ort_native.mjs';
import { maskflowPackage } from '../peers/maskflow.mjs';
import { preparing, refuses } from '../peers/onnx_runtime.mjs';

const folder = mkdtempSync(join(tmpdir(), 'maskflow-threads-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Imports a file from a copy of a folder; the copy has the files that `filter` accepts. */
async function importCopy(source, copy, file, filter) {
  const target = join(folder, copy);
  cpSync(source, target, { recursive: true, filter });
  return import(pathToFileURL(join(target, file)).href);
}

/** Returns maskflow with `threads` threads, from an entry of the package. */
export async function maskflowWith(threads, entry = 'index.js') {
  const copy = await importCopy(at('dist'), `maskflow-${entry}-${threads}`, entry);
  return maskflowPackage(copy, `maskflow ${threads}`, { threads });
}

/** Returns onnxruntime-web with `threads` threads. */
export async function onnxWith(threads) {
  const copy = `onnx-${threads}/node_modules`;
  // The other builds of the package take 130 MB.
  const isNeeded = (path) =>
    !/\.(mjs|js|map|wasm)$/.test(path) ||
    /onnxruntime-common|ort\.node\.min\.mjs$|ort-wasm-simd-threaded\.(mjs|wasm)$/.test(path);
  const { default: ort } = await importCopy(
    at('bench/peers/node_modules'),
    copy,
    'onnxruntime-web/dist/ort.node.min.mjs',
    (path) => !/node_modules\/(?!onnxruntime)[^/]+|onnxruntime-node/.test(path) && isNeeded(path),
  );
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const settings = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' };
  return { name: `onnxruntime-web ${threads}`, refuses, prepare: preparing(ort, settings) };
}

/** Returns ONNX Runtime as machine code with `threads` threads. */
export async function nativeWith(threads) {
  const prepare = await preparedNative(threads);
  return { name: `onnxruntime-node ${threads}`, refuses, prepare };
}
