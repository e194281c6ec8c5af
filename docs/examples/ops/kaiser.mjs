// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.kaiser(5, 2)));
// → [0.438676 0.834761        1 0.834761 0.438676]
// → shape (5), float32
