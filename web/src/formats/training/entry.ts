// SPDX-License-Identifier: MIT
// The functions of training that the chunks of this folder need. entries/training_files.ts passes
// them.
import type * as loss from '../../measures/loss.js';
import type * as measures from '../../measures/measures.gen.js';
import type * as metric from '../../measures/metric.js';
import type * as compiled from '../../training/compiled.js';
import type * as configurations from '../../training/configurations.js';

/**
 * Functions that the entry passes to the fetched chunks. If a chunk imported them, they would be
 * moved out of the chunks of the other entries.
 */
export type Training = Pick<typeof compiled, 'compile' | 'compiledOf'> &
  Pick<typeof configurations, 'mapChoices' | 'isConfig' | 'levels'> &
  Pick<typeof loss, 'lossConfigOf'> &
  Pick<typeof measures, 'losses'> &
  Pick<typeof metric, 'Metric'>;
