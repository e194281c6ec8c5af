// SPDX-License-Identifier: MIT

/** inputDim → input_dim; what is snake_case already stays. */
export function toSnake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** input_dim → inputDim. */
export function toCamel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase());
}
