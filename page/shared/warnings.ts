// SPDX-License-Identifier: MIT
/** Runs `body` and hands back, instead of printing them, the warnings that the package gives meanwhile. */
export function collectWarnings<R>(body: () => R): { result: R; warnings: string[] } {
  const original = console.warn;
  const found = new Set<string>();
  console.warn = (...parts: unknown[]) => {
    found.add(parts.join(' '));
  };
  try {
    return { result: body(), warnings: [...found] };
  } finally {
    console.warn = original;
  }
}
