// SPDX-License-Identifier: MIT
// The training part of `loadModel`: compile config and state of the optimizer. Only entries that
// can train fetch it.
import { isPlain } from '../../base/check.js';
import { ConfigError, FormatError, MaskflowError, ValueError } from '../../base/errors.js';
import { warn } from '../../base/visible.js';
import type { Layer } from '../../layers/layer.js';
import type { Trainable } from '../../model/trainable.js';
import type { TrainedFile } from '../../model/services.js';
import type { NamedArray, TreeWeights } from '../artifact.js';
import { unwrapTuples } from '../json.js';
import type { Training } from './entry.js';
import { legacyCompileConfig } from './legacy.js';
import { setterOf, setVariables, storedVariables } from './optimizer_state.js';
import { compileOptionsIn } from './read_compile_config.js';

const isEmpty = (config: unknown): boolean =>
  config === null ||
  config === undefined ||
  (isPlain(config) && Object.keys(config as object).length === 0);

/** Returns whether Keras 1 or 2 wrote the file, or whether it is a `.h5` of any version. */
const isLegacy = ({
  kerasVersion,
  optimizer,
}: Pick<TrainedFile, 'kerasVersion' | 'optimizer'>): boolean =>
  optimizer !== undefined || /^[12]\./.test(kerasVersion);

/** The optimizer's variables in the file; null if they are in the order of another Keras. */
function variablesIn(
  file: Pick<TrainedFile, 'weights' | 'kerasVersion' | 'optimizer'>,
): readonly NamedArray[] | null {
  if (isLegacy(file) && !/^3\./.test(file.kerasVersion)) return null;
  if (file.optimizer) return file.optimizer as readonly NamedArray[];
  const weights = file.weights as TreeWeights | { kind: 'layers' } | null;
  return weights?.kind === 'tree' ? storedVariables(weights) : [];
}

function compileAs(model: Layer, file: TrainedFile, training: Training): void {
  const config = unwrapTuples(file.compileConfig, file.file.budget);
  const { compileFromConfig } = model as Layer & Partial<Pick<Trainable, 'compileFromConfig'>>;
  if (compileFromConfig) {
    compileFromConfig.call(model as Trainable, config as never);
    return;
  }
  const { customObjects = {} } = file.options;
  const compileConfig = isLegacy(file) ? legacyCompileConfig(config) : config;
  const { optimizer, ...measures } = compileOptionsIn(
    compileConfig,
    customObjects,
    training,
    file.file.budget,
  );
  training.compile(model, { optimizer, ...measures } as never);
}

function restore(model: Layer, file: TrainedFile, { compiledOf }: Training): void {
  const compiled = compiledOf(model, 'loadModel');
  const { optimizer } = compiled;
  const initialPaths = optimizer.variables.map(({ path }) => path);
  if (!model.built && model.weights.length === 0) return;
  compiled.variables();
  const stored = variablesIn(file);
  if (stored && stored.length > 0) {
    setVariables(optimizer, stored, initialPaths);
    return;
  }
  warn(
    `${file.file.name} has ${stored ? 'no variables' : 'variables of another version of Keras'} for the optimizer '${optimizer.name}' of '${model.name}'; it starts from its initial state`,
  );
}

/**
 * Compiles a model with the config of its file and restores the variables of its optimizer. Throws
 * ConfigError for an unknown loss, metric or optimizer, and FormatError for variables that do not
 * fit. If a file of Keras 1 or 2 causes such an error, the model stays uncompiled, with a warning.
 */
export function readTraining(model: Layer, file: TrainedFile, training: Training): void {
  if (isEmpty(file.compileConfig)) return;
  try {
    compileAs(model, file, training);
    if ('compiled' in model) restore(model, file, training);
  } catch (error) {
    const { compiled } = model as { compiled?: { dispose(): void } };
    compiled?.dispose();
    Reflect.deleteProperty(model, 'compiled');
    if (!(error instanceof MaskflowError)) throw error;
    if (isLegacy(file)) {
      warn(
        `'${model.name}' of ${file.file.name} is not compiled: ${error.message}; call compile()`,
      );
      return;
    }
    error.message = `the compile config of ${file.file.name}: ${error.message}; or load without it, loadModel(source, { compile: false }), and call compile()`;
    throw error instanceof ValueError ? new ConfigError(error.message) : error;
  }
}

/**
 * Returns a function that sets the state of the optimizer in a file. Returns null without one, and,
 * with a warning, if it does not fit: that of Keras 2, which has no version in files of weights, is
 * in another order.
 */
export function stateReader(
  model: Layer,
  { weights, kerasVersion }: Pick<TrainedFile, 'weights' | 'kerasVersion'>,
  file: string,
  { compiledOf }: Training,
): (() => void) | null {
  const { optimizer } = compiledOf(model, 'loadWeights');
  const stored = variablesIn({ weights, kerasVersion });
  if (!stored?.length) return null;
  const { variables, built, name } = optimizer;
  const owner = `'${name}' of '${model.name}'`;
  let why = `${stored.length} variables of an optimizer, but ${owner} has ${variables.length}`;
  try {
    if (stored.length === variables.length)
      return setterOf(optimizer, stored, [...variables.keys()]);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    why = `the state of another optimizer than ${owner}: ${error.message}`;
  }
  const remedy = built
    ? 'to restore it, compile with the optimizer of the file'
    : 'to restore it, call model.optimizer.build(model.trainableVariables) before loadWeights()';
  warn(`${file} has ${why}: only the weights are loaded; ${remedy}`);
  return null;
}
