// SPDX-License-Identifier: MIT
/** Imports a module from bytes; calls `onAddress` with the address that stacks name it by. */
export async function importBlob(
  script: Blob,
  onAddress?: (address: string) => void,
): Promise<unknown> {
  const address = URL.createObjectURL(script);
  onAddress?.(address);
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}
