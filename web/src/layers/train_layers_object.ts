// SPDX-License-Identifier: MIT
// `layers` of maskflow/train in scripts, where the bundler puts this file in place of
// train_layers.ts.
import { layers as all } from './all_layers_object.js';
import { withNameHints } from './name_hints.js';
import * as training from './training_factories.gen.js';

// A copy of the functions alone: the hints of `all` do not know those of training.
export const layers: typeof import('./every_training_layer.js') = /* @__PURE__ */ withNameHints({
  ...all,
  ...training,
});
