// SPDX-License-Identifier: MIT
// The claims of the chapters hold in Chromium.
import { testEngine } from '../support/engine.js';

await testEngine('Chromium');
