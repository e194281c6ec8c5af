// SPDX-License-Identifier: MIT
// `writeSkeleton` of maskflow and maskflow/train.
import { checkOptions } from '../base/check.js';
import { type ModelSource, type SourceOptions, sourceOptions } from '../base/model_source.js';

/**
 * Writes a JavaScript module with a class for each class of a model file that is neither Keras's
 * nor registered: its settings, its weights and sublayers as in the file, a `call` to fill in, and
 * `registerLayer`. With this module the file loads; running it ends at the first `call` that is
 * not written. Call `ready()` first. The command prints it: `maskflow info FILE --skeleton`.
 *
 * Throws FormatError if the file is damaged or has weights only.
 *
 * @example console.log(await writeSkeleton('model.keras'));
 */
export async function writeSkeleton(
  source: ModelSource,
  options: SourceOptions = {},
): Promise<string> {
  checkOptions(options, sourceOptions);
  const [{ readArtifact }, { skeletonOf }] = await Promise.all([
    import('../formats/load.js'),
    import('../formats/skeleton/skeleton.js'),
  ]);
  return skeletonOf(readArtifact, source, options);
}
