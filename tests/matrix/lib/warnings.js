// SPDX-License-Identifier: MIT

/** The first line by which a tool warns, with the one after it, or 'ok'. */
export function warningIn(said) {
  const lines = said.split('\n');
  const at = lines.findIndex((line) => /\bwarn(ing)?\b|\(!\)|▲|⚠/i.test(line));
  return at < 0 ? 'ok' : lines.slice(at, at + 2).join(' ');
}
