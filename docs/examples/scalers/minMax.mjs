// SPDX-License-Identifier: MIT
import { scalers } from 'maskflow/text';

// min_ and scale_ of Python for values from 10 to 20, which become 0 to 1
const scaler = scalers.minMax({ min: [-1], scale: [0.1], clip: [0, 1] });
console.log(JSON.stringify(scaler.transform([[10], [15], [40]])));
// → [[0],[0.5],[1]]
