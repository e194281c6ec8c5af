// SPDX-License-Identifier: MIT
import { isPlain } from '../../base/check.js';
import { ConfigError, MaskflowError, ValueError } from '../../base/errors.js';
import { warn } from '../../base/visible.js';
import type { Layer } from '../../layers/layer.js';
import type { TrainedFile } from '../../model/services.js';
import type { NamedArray, TreeWeights } from '../artifact.js';
import { unwrapTuples } from '../json.js';
import type { Training } from './entry.js';
import { legacyCompileConfig } from './legacy.js';
import { setVariables, storedVariables } from './optimizer_state.js';
import { compileOptionsIn } from './read_compile_config.js';

const isEmpty = (config: unknown): boolean =>
  config === null ||
  config === undefined ||
  (isPlain(config) && Object.keys(config as object).length === 0);

/** Is what Keras 1 or 2 wrote, or the `.h5` of any, to be read? */
const isLegacy = ({ kerasVersion, optimizer }: TrainedFile): boolean =>
  optimizer !== undefined || /^[12]\./.test(kerasVersion);

/** The values that the file has for the optimizer; null where they are of another Keras, in an order of its own. */
function variablesIn(file: TrainedFile): readonly NamedArray[] | null {
  if (isLegacy(file) && !/^3\./.test(file.kerasVersion)) return null;
  if (file.optimizer) return file.optimizer as readonly NamedArray[];
  const weights = file.weights as TreeWeights | { kind: 'layers' } | null;
  return weights?.kind === 'tree' ? storedVariables(weights) : [];
}

function compileAs(model: Layer, file: TrainedFile, training: Training): void {
  const config = unwrapTuples(file.compileConfig, file.file.budget);
  const { customObjects = {} } = file.options;
  const plain = isLegacy(file) ? legacyCompileConfig(config) : config;
  const { optimizer, ...measured } = compileOptionsIn(
    plain,
    customObjects,
    training,
    file.file.budget,
  );
  training.compile(model, { optimizer, ...measured } as never);
}

function restore(model: Layer, file: TrainedFile, { compiledOf }: Training): void {
  const compiled = compiledOf(model, 'loadModel');
  const { optimizer } = compiled;
  const begun = optimizer.variables.map(({ path }) => path);
  if (!model.built && model.weights.length === 0) return;
  compiled.variables();
  const stored = variablesIn(file);
  if (stored && stored.length > 0) {
    setVariables(optimizer, stored, begun);
    return;
  }
  warn(
    `${file.file.name} has ${stored ? 'nothing' : 'variables of another version of Keras'} for the optimizer '${optimizer.name}' of '${model.name}'; it begins anew`,
  );
}

/**
 * Compiles a model as its file says, and gives its optimizer the variables. ConfigError for a loss, metric or optimizer that is not known,
 * FormatError for variables that do not fit. Of files of Keras 1 and 2 it takes what it understands: the model stays without compilation
 * otherwise.
 */
export function readTraining(model: Layer, file: TrainedFile, training: Training): void {
  if (isEmpty(file.compileConfig)) return;
  try {
    compileAs(model, file, training);
    restore(model, file, training);
  } catch (error) {
    const { compiled } = model as { compiled?: { dispose(): void } };
    compiled?.dispose();
    Reflect.deleteProperty(model, 'compiled');
    if (!(error instanceof MaskflowError)) throw error;
    if (isLegacy(file)) {
      warn(`'${model.name}' of ${file.file.name} is not compiled: ${error.message}; compile() it`);
      return;
    }
    error.message = `${file.file.name}, what the model was compiled with: ${error.message}; or leave it out, loadModel(source, { compile: false }), and compile() the model`;
    throw error instanceof ValueError ? new ConfigError(error.message) : error;
  }
}
