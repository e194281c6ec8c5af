// SPDX-License-Identifier: MIT
// Runs the measurement on a page; browser.mjs bundles and starts it.
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { env } from 'onnxruntime-web';
import { compare } from './compare.mjs';

const packages = new URL('/bench/peers/node_modules/', location.href).href;
env.wasm.wasmPaths = `${packages}onnxruntime-web/dist/`;
setWasmPaths(`${packages}@tensorflow/tfjs-backend-wasm/dist/`);

globalThis.measurePeers = (ids) => compare(ids, console.log);
