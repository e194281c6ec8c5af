// SPDX-License-Identifier: MIT
// Switches relaxed SIMD on, which threads need, where Node wants a flag for it. Import it before
// the package.
import { setFlagsFromString } from 'node:v8';
import { relaxedFlag } from '../../scripts/lib/relaxed-flag.mjs';

for (const flag of relaxedFlag(process.execPath)) setFlagsFromString(flag);
