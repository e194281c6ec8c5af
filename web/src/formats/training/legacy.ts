// SPDX-License-Identifier: MIT
// The training configuration of Keras 1 and 2, and of the `.h5` of Keras 3.
import { isPlain } from '../../base/check.js';
import { UnsupportedError } from '../../base/errors.js';

type Json = { readonly [key: string]: unknown };

/** Settings that only Keras 2 has; those that would change a step are errors. */
function optimizerConfig(config: Json): Json {
  const { decay = 0, lr, jit_compile: _, is_legacy_optimizer: __, ...rest } = config;
  if (decay !== 0 && decay !== null) {
    throw new UnsupportedError(
      `the optimizer has the decay ${String(decay)} of Keras 2; InverseTimeDecay is the schedule for it`,
    );
  }
  return { ...rest, ...(lr !== undefined && { learning_rate: lr }) };
}

/** In Keras 3's form. */
export function legacyCompileConfig(stored: unknown): unknown {
  if (!isPlain(stored)) return stored;
  const { optimizer_config: own, ...rest } = stored as Json;
  const optimizer = (own ?? rest['optimizer']) as Json | undefined;
  if (!isPlain(optimizer) || !isPlain(optimizer['config'])) return { ...rest, optimizer };
  const { registered_name: _, ...plain } = optimizer;
  const name = String(plain['class_name']);
  return {
    ...rest,
    optimizer: {
      ...plain,
      class_name: name.slice(name.indexOf('>') + 1),
      config: optimizerConfig(plain['config'] as Json),
    },
  };
}
