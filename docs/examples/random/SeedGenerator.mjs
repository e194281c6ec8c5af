// SPDX-License-Identifier: MIT
import { random, ready } from 'maskflow';

await ready();
const seed = new random.SeedGenerator(7);
const [first, second] = [random.normal([3], { seed }), random.normal([3], { seed })];
console.log(String(first) === String(second)); // it goes on from call to call
const again = random.normal([3], { seed: new random.SeedGenerator(7) });
console.log(String(first) === String(again));
// → false
// → true
