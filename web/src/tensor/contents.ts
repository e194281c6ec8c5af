// SPDX-License-Identifier: MIT
// The properties of a tensor that libraries see which compare objects, such as those of tests.

/** The part of a tensor that is compared. */
interface Comparable {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly mask: { array(): unknown; dispose(): void } | null;
  data(): unknown;
}

/** Lets libraries that compare objects find what `comparable` returns, without a copy before. */
export const contents: ProxyHandler<{ readonly comparable: object }> = /* @__PURE__ */ new Proxy(
  {},
  {
    get:
      (_, trap) =>
      ({ comparable }: { readonly comparable: object }, ...args: unknown[]) =>
        (Reflect[trap as 'get'] as (...args: unknown[]) => unknown)(comparable, ...args),
  },
);

/** All that makes two tensors equal. */
export function contentsOf(tensor: Comparable): object {
  const { dtype, shape } = tensor;
  return {
    dtype,
    shape,
    get data() {
      return tensor.data();
    },
    get mask() {
      const { mask } = tensor;
      const kept = mask?.array() ?? null;
      mask?.dispose();
      return kept;
    },
  };
}
