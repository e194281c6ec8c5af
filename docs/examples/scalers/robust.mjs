// SPDX-License-Identifier: MIT
import { scalers } from 'maskflow/text';

const scaler = scalers.robust({ center: [5], scale: [2] }); // median and quartile range
console.log(JSON.stringify(scaler.transform([[5], [9]])));
// → [[0],[2]]
