// SPDX-License-Identifier: MIT
/**
 * Runs `body` and returns the warnings that the package logs meanwhile, instead of printing them.
 */
export function collectWarnings<R>(body: () => R): { result: R; warnings: string[] } {
  const original = console.warn;
  const warnings = new Set<string>();
  console.warn = (...parts: unknown[]) => {
    warnings.add(parts.join(' '));
  };
  try {
    return { result: body(), warnings: [...warnings] };
  } finally {
    console.warn = original;
  }
}
