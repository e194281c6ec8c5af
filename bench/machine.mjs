// SPDX-License-Identifier: MIT
import { arch, cpus, platform } from 'node:os';

/** Where something was measured, in the words of docs/performance.md. */
export const machine = `${cpus()[0].model}, ${cpus().length} cores, ${platform()} ${arch()}`;
