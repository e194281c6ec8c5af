// SPDX-License-Identifier: MIT
import { layers as all } from './all_layers_object.js';
import * as training from './training_factories.gen.js';

export const layers: typeof import('./every_training_layer.js') = { ...all, ...training };
