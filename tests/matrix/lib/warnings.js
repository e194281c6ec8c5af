// SPDX-License-Identifier: MIT

/** The first line by which a tool warns, with the one after it, or 'ok'. */
export function warningIn(said) {
  // npm speaks of its own settings where a tool calls it.
  const lines = said.split('\n').filter((line) => !/npm warn/.test(line));
  const at = lines.findIndex((line) => /\bwarn(ing)?\b|\(!\)|▲|⚠/i.test(line));
  return at < 0 ? 'ok' : lines.slice(at, at + 2).join(' ');
}
