// SPDX-License-Identifier: MIT
import { losses, ready, tensor } from 'maskflow';

await ready();
const labels = tensor([[1, 2]], { dtype: 'int32' });
const logits = tensor([[[0, 9, 0], [9, 0, 0], [0, 0, 9]]]); // says 1, blank, 2
console.log(losses.ctc(labels, logits).item() < 0.01);
console.log(losses.ctc(tensor([[2, 1]], { dtype: 'int32' }), logits).item() > 5);
// → true
// → true
