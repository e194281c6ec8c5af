// SPDX-License-Identifier: MIT
// The page of `npm run bench:peers --browser`, bundled by bench/peers.mjs.
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { env } from 'onnxruntime-web';
import { compare } from './compare.mjs';

const packages = new URL('/bench/peers/node_modules/', location.href).href;
env.wasm.wasmPaths = `${packages}onnxruntime-web/dist/`;
setWasmPaths(`${packages}@tensorflow/tfjs-backend-wasm/dist/`);

globalThis.measure = compare;
