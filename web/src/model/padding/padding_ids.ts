// SPDX-License-Identifier: MIT
// The ids that stand for padding in models that accept rows of any length.

/** The padding id of each input that has one, by its name; for an only input also under ''. */
export type PaddingIds = ReadonlyMap<string, number>;

/** Models whose padding is not id 0; their files declare ragged inputs. */
export const paddingIds = new WeakMap<object, PaddingIds>();
