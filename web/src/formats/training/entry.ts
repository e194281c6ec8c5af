// SPDX-License-Identifier: MIT
import type * as measures from '../../measures/measures.gen.js';
import type * as metric from '../../measures/metric.js';
import type * as compiled from '../../training/compiled.js';
import type * as configurations from '../../training/configurations.js';

/**
 * What the entry has already and hands to the chunks that are fetched. (Imported by these, too, it would be cut out of the chunks of
 * entries that have parts of it.)
 */
export type Training = Pick<typeof compiled, 'compile' | 'compiledOf'> &
  Pick<typeof configurations, 'each' | 'isConfig' | 'levels'> &
  Pick<typeof measures, 'losses'> &
  Pick<typeof metric, 'Metric'>;
