// SPDX-License-Identifier: MIT
import { ready, runtimeInfo } from 'maskflow';

await ready();
const { kerasSemantics, threads } = runtimeInfo();
console.log(kerasSemantics, threads);
// → 3.15 1
