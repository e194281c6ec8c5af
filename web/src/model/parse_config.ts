// SPDX-License-Identifier: MIT
// The argument of `Model.fromConfig`, which may be text.
import { describe, isPlain } from '../base/check.js';
import { ConfigError, FormatError } from '../base/errors.js';
import type { Config } from '../layers/layer_config.js';

/**
 * Returns a model's config, which may be JSON. Throws FormatError or ConfigError for other values.
 */
export function parseConfig(source: unknown): Config {
  let config = source;
  try {
    if (typeof source === 'string') config = JSON.parse(source);
  } catch (error) {
    throw new FormatError(`the configuration is not JSON: ${(error as Error).message}`);
  }
  if (isPlain(config) || Array.isArray(config)) return config as Config;
  throw new ConfigError(
    `a model's configuration must be an object or its JSON, not ${describe(config)}`,
  );
}
