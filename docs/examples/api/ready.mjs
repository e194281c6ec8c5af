// SPDX-License-Identifier: MIT
import { ready, runtimeInfo } from 'maskflow';

await ready({ seed: 1 }); // loads the wasm, once; the seed is that of initial weights
await ready({ onMaskDropped: 'silent' }); // later calls change options
console.log(runtimeInfo().onMaskDropped);
// → silent
