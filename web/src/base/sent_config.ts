// SPDX-License-Identifier: MIT
// Configs of optimizers, losses and metrics, by which they are sent to workers. A worker's page
// need not contain their classes, and a class may come from another copy of the package.

/** Key of a method that returns the config of an object, from which a worker creates its like. */
export const kSentConfig: unique symbol = Symbol.for('maskflow.sent_config') as never;

/** Adds the method to an object or a function. */
export const withSentConfig = <T extends object>(value: T, config: () => object): T =>
  Object.defineProperty(value, kSentConfig, { value: config });

/** Returns the config of an object that has one; undefined for other values. */
export function sentConfigOf(value: unknown): object | undefined {
  const { [kSentConfig]: config } = Object(value) as { [kSentConfig]?: () => object | undefined };
  return typeof config === 'function' ? config.call(value) : undefined;
}
