// SPDX-License-Identifier: MIT
/** Imports a module from bytes. */
export async function importBlob(script: Blob): Promise<unknown> {
  const address = URL.createObjectURL(script);
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}
