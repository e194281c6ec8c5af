// SPDX-License-Identifier: MIT
// Compares lists of names. A failure says which names a place lacks, or has in addition, and where
// they belong.

/** Returns null, or a sentence about the names by which `place` differs from `needed`. */
export function nameDifference(place, names, needed) {
  const lacking = [...new Set(needed)].filter((name) => !names.includes(name));
  const further = [...new Set(names)].filter((name) => !needed.includes(name));
  const parts = [];
  if (lacking.length > 0) parts.push(`lacks ${lacking.join(', ')}`);
  if (further.length > 0) parts.push(`has ${further.join(', ')}, which should not be there`);
  return parts.length > 0 ? `${place} ${parts.join(' and ')}` : null;
}
