// SPDX-License-Identifier: MIT

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

/** `failed` also where `verify` finds a difference. */
export const exitCodes = { fine: 0, failed: 1, usage: 2 } as const;
