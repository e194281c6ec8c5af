// SPDX-License-Identifier: MIT

/** The first line by which a tool warns, or 'ok'. */
export const warningIn = (said) =>
  said
    .split('\n')
    .find((line) => /\bwarn(ing)?\b|\(!\)|▲|⚠/i.test(line))
    ?.trim() ?? 'ok';
