// SPDX-License-Identifier: MIT
// The machine that figures come from.
import { arch, cpus, platform } from 'node:os';

/** Describes the machine, in the words of docs/performance.md. */
export const machine = `${cpus()[0].model}, ${cpus().length} cores, ${platform()} ${arch()}`;
