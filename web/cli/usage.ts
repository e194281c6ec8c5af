// SPDX-License-Identifier: MIT

/** Wrong arguments: exit code 2. */
export class UsageError extends Error {}

/** `failed` is also the code if `verify` finds a difference. */
export const exitCodes = { fine: 0, failed: 1, usage: 2 } as const;
