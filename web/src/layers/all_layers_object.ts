// SPDX-License-Identifier: MIT
import * as more from './more_factories.js';
import { layers as recurrent } from './recurrent_layers.js';

export const layers: typeof import('./factories.js') = { ...recurrent, ...more };
