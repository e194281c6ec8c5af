// SPDX-License-Identifier: MIT
// Layers that an entry registers when it is imported, so that other entries can name it.

/** Package of the registered names of the project's own layers. */
export const kOwnPackage = 'maskflow';

/** Names of the layers that an entry registers. */
export const registeredNames = {
  'maskflow/tags': ['CRF', 'CRFDecoder'],
} as const;

/** Returns the entry that registers a layer of this full name; undefined for other layers. */
export function entryOf(registered: string): string | undefined {
  const entries = Object.entries(registeredNames);
  return entries.find(([, names]) =>
    names.some((name) => registered === `${kOwnPackage}>${name}`),
  )?.[0];
}
