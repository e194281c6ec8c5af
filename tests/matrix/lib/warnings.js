// SPDX-License-Identifier: MIT

/** The first line of a warning in the output of a tool, with the next line, or 'ok'. */
export function warningIn(output) {
  // npm warns of its own settings when a tool calls it.
  const lines = output.split('\n').filter((line) => !/npm warn/.test(line));
  const at = lines.findIndex((line) => /\bwarn(ing)?\b|\(!\)|▲|⚠/i.test(line));
  return at < 0 ? 'ok' : lines.slice(at, at + 2).join(' ');
}
