// SPDX-License-Identifier: MIT
import { keep, ready, tensor, tidy } from 'maskflow';

await ready();
let largest;
const sum = tidy(() => {
  const x = tensor([1, 5, 3]);
  largest = keep(x.max());
  return x.sum();
});
console.log(sum.item(), largest.item());
// → 9 5
