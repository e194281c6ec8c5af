// SPDX-License-Identifier: MIT
// Errors of full storage, and the parts of `navigator` that storage/ uses, without the types of a
// page.
import { StateError } from '../../../base/errors.js';

interface Estimate {
  usage?: number;
  quota?: number;
}

const nameOf = (error: unknown): string => String((error as { name?: unknown } | null)?.name);

/** Codes of Node for a full disk or an exceeded quota. */
const kFull = ['ENOSPC', 'EDQUOT'];

/** Returns whether a place is full. Firefox has a name of its own for it. */
export const isFull = (error: unknown): boolean =>
  ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'].includes(nameOf(error)) ||
  kFull.includes(String((error as { code?: unknown } | null)?.code));

/**
 * Returns a StateError for bytes that could not be stored. For a full place it has the bytes in use
 * and those allowed.
 */
export async function notStored(what: string, size: number, error: unknown): Promise<StateError> {
  const reason = (error as Error | null)?.message || nameOf(error);
  if (!isFull(error)) return new StateError(`${what} cannot be stored: ${reason}`);
  const { storage } = navigatorHere();
  const estimate: Estimate | undefined = await storage?.estimate?.().catch(() => undefined);
  const { usage, quota } = estimate ?? {};
  const state = quota === undefined ? '' : ` ${usage} of ${quota} bytes are in use;`;
  return new StateError(
    `${what} has ${size} bytes, for which there is no room:${state} call clearStoredModels(), or free space in another way`,
  );
}

/** The parts of `navigator` that storage needs. */
interface Navigator {
  locks?: {
    request<T>(
      name: string,
      options: { mode: 'shared' | 'exclusive' },
      run: () => Promise<T>,
    ): Promise<T>;
  };
  storage?: {
    estimate?(): Promise<Estimate>;
    getDirectory?(): Promise<FileSystemDirectoryHandle>;
  };
}

/** Returns `navigator`, or an empty object where there is none. */
export const navigatorHere = (): Navigator =>
  (globalThis as { navigator?: Navigator }).navigator ?? {};
