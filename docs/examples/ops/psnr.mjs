// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const signal = [10, 52, 200, 30];
const noisy = [12, 50, 202, 28];
console.log(ops.psnr(signal, noisy, 255).item().toFixed(2));
// → 42.11
