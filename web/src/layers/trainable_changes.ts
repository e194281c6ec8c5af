// SPDX-License-Identifier: MIT

/**
 * Number of times that `trainable` of a layer was set. Training compares it instead of the flags.
 */
export const trainableChanges = { count: 0 };
