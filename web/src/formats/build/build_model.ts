// SPDX-License-Identifier: MIT
// The step from an artifact to a model, whose weights load.ts sets afterwards. This file decides
// which rarely needed parts of the conversion are fetched.
import { native, unwrap } from '../../engine/engine.js';
import { interruptible } from '../../engine/interrupt.js';
import { ConfigError, MaskflowError } from '../../base/errors.js';
import type { Layer, Shape } from '../../layers/layer.js';
import type { LoadOptions } from '../../model/load_options.js';
import { Model } from '../../model/model.js';
import { Prepared } from '../../layers/layer_objects.js';
import { type Maker, withMakers } from '../../layers/registry.js';
import { type MaskPropagation, runtimeInfo } from '../../engine/runtime.js';
import { withFunctions } from '../../layers/custom_functions.js';
import { makeLayer, namedFunctions } from '../../layers/serialization.js';
import { readsText, textLayers } from '../../layers/text_symbols.js';
import { type SplitModel, textSplitting } from '../text_splitting.js';
import type { Artifact, HardSigmoid, SerializedObject } from '../artifact.js';
import type { Budget } from '../open/budget.js';
import type { OpenFile } from '../open/open_file.js';
import { decodeUtf8 } from '../../engine/utf8.js';
import { makersOf } from './custom_objects.js';
import { unwrapTuples } from '../json.js';
import { checkSizes } from './core_sizes.js';
import { withOwnOpNames } from './own_op_names.js';
import { type FoundProblems, problemsIn } from './problems.js';
import { type Builds, buildMade, withoutBuilds } from '../own_saving.js';
import { rememberRule } from './mask_rule.js';
import { withoutDefaultTraining } from './recorded_training.js';

/**
 * Builds the model of an artifact, for the input shape in the file if there is one. Its weights
 * have initial values. Throws ConfigError with all problems if classes, ops or settings are
 * unknown.
 */
export async function buildModel(
  artifact: Artifact & { config: SerializedObject },
  options: LoadOptions,
  { budget, sibling }: Pick<OpenFile, 'budget' | 'sibling'>,
): Promise<Model> {
  const meaning = options.hardSigmoid ?? artifact.hardSigmoid ?? 'keras3';
  const problems = [...(artifact.problems ?? [])];
  const ragged = hasRagged(artifact.config) ? await import('./ragged.js') : undefined;
  const dense = ragged?.withPaddedInputs(artifact.config, problems);
  const renamed = await renameHardSigmoid(dense?.config ?? artifact.config, meaning);
  const written = withOwnOpNames(unwrapTuples(renamed, budget) as SerializedObject);
  const rule = options.maskPropagation ?? artifact.maskPropagation;
  const isOlder = artifact.maskPropagation !== 'keras-3.16';
  const is316 = (rule ?? runtimeInfo().maskPropagation) === 'keras-3.16';
  const plain = is316 && isOlder ? withoutDefaultTraining(written) : written;
  checkSizes(plain);
  const { customObjects } = options;
  const makers = makersOf(customObjects ?? {});
  const completed = customObjects ? await addActivationLayers(plain, customObjects, makers) : plain;
  const split = readsText(completed)
    ? textSplitting.get()(
        completed,
        {
          texts: await vocabularies(completed, artifact.texts ?? new Map(), { budget, sibling }),
          weights: artifact.weights?.kind === 'tree' ? artifact.weights.arrays : new Map(),
        },
        customObjects ?? {},
        makers,
      )
    : null;
  const whole = split?.config ?? completed;
  const config = hasFunctionOps(whole)
    ? await replaceFunctionOps(whole, customObjects ?? {}, makers, problems)
    : whole;
  const calls = usesLambda(config)
    ? (await import('../skeleton/unknown_classes.js')).lambdaCalls(config)
    : undefined;
  await budget.pause();
  const builds: Builds = new Map();
  const unbuilt = withoutBuilds(config, builds);
  const build = (): Model =>
    withMaskRule(rule, () => {
      if (problems.length > 0)
        throw problemsError(allProblems(problems, artifact, problemsIn(config, budget, calls)));
      return rememberRule(createModel(unbuilt, split, budget, calls), rule);
    });
  const complete = (layer: Layer): void => buildMade(layer, builds);
  const model = withFunctions(customObjects ?? {}, () => withMakers(makers, build, complete));
  if (dense) ragged?.acceptRows(model, dense.kinds);
  return model;
}

/** Characters of a vocabulary that a layer reads in a ms. */
const kCharactersPerMs = 4000;

/**
 * Adds the files, beside the model, that hold the vocabularies of layers; absent ones stay out.
 * Throws FormatError if all of them exceed a limit.
 */
async function vocabularies(
  config: SerializedObject,
  texts: ReadonlyMap<string, string>,
  { budget, sibling }: Pick<OpenFile, 'budget' | 'sibling'>,
): Promise<ReadonlyMap<string, string>> {
  const all = new Map(texts);
  for (const path of new Set(vocabularyPaths(config))) {
    const name = path.replaceAll('\\', '/').split('/').at(-1) ?? path;
    const text = await sibling(name, kMaxVocabulary).catch(() => null);
    // A file that was not read for a limit or a signal is not absent.
    budget.check();
    budget.read(0, path);
    if (text) all.set(path, decodeUtf8(text.bytes));
  }
  for (const [path, text] of all) {
    budget.spend('text', text.length, path);
    budget.expect(text.length / kCharactersPerMs, path);
  }
  return all;
}

/** Largest file with a vocabulary, in bytes. */
const kMaxVocabulary = 2 ** 28;

/** The settings `vocabulary` that are paths of files. */
function vocabularyPaths(entry: unknown): string[] {
  const { class_name: name, config } = Object(entry) as Partial<SerializedObject>;
  const { vocabulary, layers } = Object(config) as { vocabulary?: unknown; layers?: unknown };
  const paths = textLayers.includes(name as string) ? [vocabulary] : [];
  const inner = Array.isArray(layers) ? layers.flatMap(vocabularyPaths) : [];
  return [...paths.filter((path) => typeof path === 'string'), ...inner];
}

async function addActivationLayers(
  config: SerializedObject,
  objects: NonNullable<LoadOptions['customObjects']>,
  makers: Map<string, Maker>,
): Promise<SerializedObject> {
  const { separateActivations } = await import('./custom_activations.js');
  return separateActivations(config, objects, makers);
}

/** Returns whether the config has an input of rows of any length, at any depth of models. */
function hasRagged({ class_name: name, config }: SerializedObject): boolean {
  const layers = config?.['layers'];
  return (
    (name === 'InputLayer' && config?.['ragged'] === true) ||
    (Array.isArray(layers) && layers.some((layer) => hasRagged(Object(layer))))
  );
}

/** Returns whether the config has operations of functions, at any depth of models. */
function hasFunctionOps({ class_name: name, module, config }: SerializedObject): boolean {
  const layers = config?.['layers'];
  return (
    (/^(Map|Scan|Switch|VectorizedMap|AssociativeScan)$/.test(name) &&
      /\.ops\b/.test(`${module}`)) ||
    (Array.isArray(layers) && layers.some((layer) => hasFunctionOps(Object(layer))))
  );
}

async function replaceFunctionOps(
  ...args: Parameters<typeof import('./function_ops.js').withFunctionOps<SerializedObject>>
): Promise<SerializedObject> {
  const { withFunctionOps } = await import('./function_ops.js');
  return withFunctionOps(...args);
}

async function renameHardSigmoid(
  config: SerializedObject,
  meaning: HardSigmoid,
): Promise<SerializedObject> {
  if (meaning === 'keras3') return config;
  const { withHardSigmoid } = await import('../dialects/to_keras3.js');
  return withHardSigmoid(config, meaning);
}

/** Returns whether the config has a Lambda, at any depth of models. */
function usesLambda({ class_name: name, config }: SerializedObject): boolean {
  const layers = config?.['layers'];
  return (
    name === 'Lambda' ||
    (Array.isArray(layers) && layers.some((layer) => usesLambda(Object(layer))))
  );
}

function createModel(
  config: SerializedObject,
  split: SplitModel | null,
  budget: Budget,
  calls: ReadonlyMap<string, string> | undefined,
): Model {
  let model: Model | undefined;
  try {
    model = interruptible(
      () => budget.check(),
      () =>
        split
          ? split.make(new Prepared(unwrap(native().layerDeserialize(namedFunctions(config)))))
          : (makeLayer(config) as Model),
    );
    const shape = buildShape(config);
    if (!model.built && shape) model.build(shape);
    // A custom model creates the weights of its layers when it runs; computing its shapes runs it.
    if (model.isCustom && shape) model.computeOutputShape(shape);
  } catch (error) {
    model?.dispose();
    if (!(error instanceof MaskflowError)) throw error;
    // The core stops at the first problem; the message lists all of them.
    budget.check();
    const problems = problemsIn(config, budget, calls);
    throw problems.sentences.length > 0 ? problemsError(problems) : error;
  }
  if (model instanceof Model) return model;
  throw new ConfigError(
    `the file has a ${config.class_name}, which is a layer, not a model; use deserializeLayer()`,
  );
}

/**
 * Joins problems of the file, of its operations that call functions, and of its layers. Operations
 * that call functions need `customObjects`.
 */
function allProblems(
  before: readonly string[],
  file: Artifact,
  found: FoundProblems,
): FoundProblems {
  return {
    sentences: [...before, ...found.sentences],
    needCustomObjects: found.needCustomObjects || before.length > (file.problems?.length ?? 0),
  };
}

function problemsError({ sentences, needCustomObjects }: FoundProblems): ConfigError {
  const code = needCustomObjects ? 'ERR_CUSTOM_OBJECTS' : 'ERR_CONFIG';
  if (sentences.length === 1) return new ConfigError(sentences[0] as string, code);
  const list = sentences.join('\n  ');
  return new ConfigError(
    `the model has ${sentences.length} unknown or unsupported parts:\n  ${list}`,
    code,
  );
}

/** Input shape of the first call, which Keras saves for models that do not start with an Input. */
function buildShape({ build_config, config }: SerializedObject): Shape | Shape[] | undefined {
  const shape = build_config?.['input_shape'] ?? config?.['build_input_shape'];
  return Array.isArray(shape) ? (shape as Shape) : undefined;
}

/** Layers created in `run` keep this mask rule, whatever `ready` sets later. */
function withMaskRule<R>(rule: MaskPropagation | undefined, run: () => R): R {
  if (rule === undefined) return run();
  unwrap(native().configure({ mask_propagation: rule, pin_mask_propagation: true }));
  try {
    return run();
  } finally {
    const { maskPropagation } = runtimeInfo();
    unwrap(native().configure({ mask_propagation: maskPropagation, pin_mask_propagation: false }));
  }
}
