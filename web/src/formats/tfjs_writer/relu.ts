// SPDX-License-Identifier: MIT
// ReLU has several classes in TensorFlow.js, none of which has all settings of Keras's.
import type { SerializedObject } from '../artifact.js';

/**
 * Replaces a ReLU or LeakyReLU by the class of TensorFlow.js that has its settings: its ReLU has
 * only `max_value`, its LeakyReLU calls the slope `alpha`.
 */
export function toTfjsRelu<Entry extends SerializedObject>(entry: Entry): Entry {
  const { negative_slope: slope, max_value: max, threshold, ...config } = entry.config;
  const as = (className: string, settings: object): Entry => ({
    ...entry,
    class_name: className,
    config: { ...config, ...settings },
  });
  if (entry.class_name === 'LeakyReLU') return as('LeakyReLU', { alpha: slope });
  if (entry.class_name !== 'ReLU') return entry;
  if (!slope && !threshold) return as('ReLU', { max_value: max });
  const hasMax = max !== null && max !== undefined;
  if (!hasMax && !slope) return as('ThresholdedReLU', { theta: threshold });
  if (!hasMax && !threshold) return as('LeakyReLU', { alpha: slope });
  return as('ReLU with a slope, a threshold or a maximum together', {});
}
