// SPDX-License-Identifier: MIT
// Shared by layers and training, which import each other in one direction only.

/**
 * Number of times that `trainable` of a layer was set. Training compares it instead of the flags.
 */
export const trainableChanges = { count: 0 };
