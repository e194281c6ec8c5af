// SPDX-License-Identifier: MIT
import { withNameHints } from './name_hints.js';
import * as functions from './recurrent_factories.js';

export const layers: typeof functions = /* @__PURE__ */ withNameHints({ ...functions });
