// SPDX-License-Identifier: MIT
// The training config of Keras 1 and 2, and of `.h5` files of Keras 3.
import { isPlain } from '../../base/check.js';
import { UnsupportedError } from '../../base/errors.js';

type Json = { readonly [key: string]: unknown };

/** Converts settings of Keras 2. Throws UnsupportedError for those that would change a step. */
function optimizerConfig(config: Json): Json {
  const { decay = 0, lr, jit_compile: _, is_legacy_optimizer: __, ...rest } = config;
  if (decay !== 0 && decay !== null) {
    throw new UnsupportedError(
      `the optimizer has the decay ${String(decay)} of Keras 2; use the schedule InverseTimeDecay instead`,
    );
  }
  return { ...rest, ...(lr !== undefined && { learning_rate: lr }) };
}

/** Converts a training config to Keras 3's form. */
export function legacyCompileConfig(stored: unknown): unknown {
  if (!isPlain(stored)) return stored;
  const { optimizer_config: nested, ...rest } = stored as Json;
  const optimizer = (nested ?? rest['optimizer']) as Json | undefined;
  if (!isPlain(optimizer) || !isPlain(optimizer['config'])) return { ...rest, optimizer };
  const { registered_name: _, ...settings } = optimizer;
  const name = String(settings['class_name']);
  return {
    ...rest,
    optimizer: {
      ...settings,
      class_name: name.slice(name.indexOf('>') + 1),
      config: optimizerConfig(settings['config'] as Json),
    },
  };
}
