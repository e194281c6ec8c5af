// SPDX-License-Identifier: MIT
// The scopes of `tidy`, apart from it, because a new tensor needs them and `tidy` needs tensors.
interface Disposable {
  dispose(): void;
}

/** Tensors created while this scope was the innermost one. */
export type Scope = Set<Disposable>;

/** Open scopes, the innermost last. */
export const scopes: Scope[] = [];

/** Adds a new tensor to the innermost scope. */
export function track(tensor: Disposable): void {
  scopes.at(-1)?.add(tensor);
}
