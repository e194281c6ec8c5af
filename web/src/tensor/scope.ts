// SPDX-License-Identifier: MIT
interface Disposable {
  dispose(): void;
}

/** The tensors that were made while it was the innermost one. */
export type Scope = Set<Disposable>;

/** Those that are open, the innermost last. */
export const scopes: Scope[] = [];

/** Called for every tensor that is made. */
export function track(tensor: Disposable): void {
  scopes.at(-1)?.add(tensor);
}
