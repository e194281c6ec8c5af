// SPDX-License-Identifier: MIT
// The claims of the chapters hold in WebKit.
import { testEngine } from '../support/engine.js';

await testEngine('WebKit');
