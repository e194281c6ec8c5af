// SPDX-License-Identifier: MIT
// The claims of the chapters hold in Firefox.
import { testEngine } from '../support/engine.js';

await testEngine('Firefox');
