// SPDX-License-Identifier: MIT
import { scalers } from 'maskflow/text';

const scaler = scalers.maxAbs({ scale: [4] }); // scale_ of Python, the largest absolute value
console.log(JSON.stringify(scaler.transform([[-4], [2]])));
// → [[-1],[0.5]]
