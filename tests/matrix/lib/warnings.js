// SPDX-License-Identifier: MIT

/**
 * Returns the first line of a warning in a tool's output, with the next line; 'ok' without a
 * warning.
 */
export function warningIn(output) {
  // npm complains about its own settings when a tool calls it; these lines are ignored.
  const lines = output.split('\n').filter((line) => !/npm warn/.test(line));
  const at = lines.findIndex((line) => /\bwarn(ing)?\b|\(!\)|▲|⚠/i.test(line));
  return at < 0 ? 'ok' : lines.slice(at, at + 2).join(' ');
}
