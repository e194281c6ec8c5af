// SPDX-License-Identifier: MIT
/**
 * Tags for the words of a sentence, or for any steps: a linear-chain CRF, its loss and its best
 * paths, and scores of entities. It is an entry of its own, so that other pages do not fetch it.
 *
 * @module maskflow/tags
 */
export { CRF, type CRFConfig, CRFDecoder } from './tags/crf_layers.js';
export { crfDecode, crfLogLikelihood, crfMarginals, type CrfTags } from './tags/crf_functions.js';
export { crfAccuracy, crfLoss } from './tags/crf_loss.js';
export type { CrfMask, CrfOptions } from './tags/crf_scores.js';
export type { Entity, TagScheme } from './tags/entities.js';
export {
  EntityF1,
  type EntityF1Options,
  type EntityScore,
  type EntityScores,
  entityScores,
  entitySpans,
  type TagOptions,
} from './tags/entity_scores.js';
export type { TagRows } from './tags/tag_rows.js';

import { named } from './base/named.js';
import { kOwnPackage, registeredNames } from './base/registered_names.js';
import { registerFunction } from './layers/custom_functions.js';
import { registerLayer } from './layers/registry.js';
import { crfDecode, crfLogLikelihood, crfMarginals } from './tags/crf_functions.js';
import { CRF, CRFDecoder } from './tags/crf_layers.js';
import { crfAccuracy, crfLoss } from './tags/crf_loss.js';
import { entityScores, entitySpans } from './tags/entity_scores.js';

// Minified code renames functions, but the names of losses and metrics are keys of logs.
named({
  crfAccuracy,
  crfDecode,
  crfLogLikelihood,
  crfLoss,
  crfMarginals,
  entityScores,
  entitySpans,
});
// Loading a file with these layers, or compiled with these functions, finds them, whichever entry
// loads.
registerFunction(crfLoss, { package: kOwnPackage });
registerFunction(crfAccuracy, { package: kOwnPackage });
const registered = { CRF, CRFDecoder };
for (const name of registeredNames['maskflow/tags']) {
  registerLayer(registered[name], { package: kOwnPackage, name });
}
