// SPDX-License-Identifier: MIT
// Wrong arguments, and the exit codes of the command.

/** An error for wrong arguments; the command then exits with code 2. */
export class UsageError extends Error {}

/** Exit codes of the command. `failed` is also the code if `verify` finds a difference. */
export const exitCodes = { fine: 0, failed: 1, usage: 2 } as const;
