// SPDX-License-Identifier: MIT
// `layers` of maskflow/recurrent in scripts, where the bundler puts this file in place of
// recurrent_layers.ts.
import { withNameHints } from './name_hints.js';
import * as functions from './recurrent_factories.js';

export const layers: typeof functions = /* @__PURE__ */ withNameHints({ ...functions });
