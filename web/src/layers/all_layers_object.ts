// SPDX-License-Identifier: MIT
// `layers` of maskflow in scripts, where the bundler puts this file in place of all_layers.ts.
import * as more from './more_factories.js';
import { withNameHints } from './name_hints.js';
import { layers as recurrent } from './recurrent_layers.js';

export const layers: typeof import('./factories.js') = /* @__PURE__ */ withNameHints({
  ...recurrent,
  ...more,
});
