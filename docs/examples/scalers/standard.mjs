// SPDX-License-Identifier: MIT
import { scalers } from 'maskflow/text';

const scaler = scalers.standard({ mean: [10, 0], scale: [2, 5] }); // mean_ and scale_ of Python
console.log(JSON.stringify(scaler.transform([[12, 10], [8, -5]])));
// → [[1,2],[-1,-1]]
