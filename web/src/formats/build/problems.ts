// SPDX-License-Identifier: MIT
// The search for everything that keeps a config from becoming a model, so that one error names all
// of it. It runs after the core has refused the config or the file had problems.
import { native, unwrap } from '../../engine/engine.js';
import { addTo } from '../../base/array.js';
import { entryOf } from '../../base/registered_names.js';
import { codeOf, MaskflowError } from '../../base/errors.js';
import { runtimeInfo } from '../../engine/runtime.js';
import { isForeign } from '../../layers/registry.js';
import { namedFunctions } from '../../layers/serialization.js';
import { opNames } from '../dialects/op_names.gen.js';
import type { Budget } from '../open/budget.js';
import { isRecord, listOf, textOf } from '../json.js';
import { isImageLayer } from '../image_layers.js';
import { onlyInTrainingModule } from './only_in_training_module.gen.js';

/** Settings that contain layers. */
const sublayerKeys = ['layer', 'forward_layer', 'backward_layer', 'cell', 'cells', 'layers'];

/** The problems of a config, a sentence each. */
export interface FoundProblems {
  readonly sentences: readonly string[];
  /** Whether a remedy is to pass `customObjects`. */
  readonly needCustomObjects: boolean;
}

/**
 * Lists all problems of a config's layers. Creates each layer by itself, the innermost first, and
 * frees it. Unknown classes are one sentence, with the remedy. `calls` says by layer name what
 * Lambda layers receive and return.
 */
export function problemsIn(
  config: unknown,
  budget: Budget,
  calls: ReadonlyMap<string, string> = new Map(),
): FoundProblems {
  const problems: Problems = {
    budget,
    classes: new Map(),
    lambdas: [],
    images: [],
    replaced: [],
    others: [],
  };
  visit(config, problems, 0);
  const lambdas = problems.lambdas.map(
    (name) =>
      `'${name}' is a Lambda, Python code that cannot run here${calls.has(name) ? `; it ${calls.get(name)}` : ''}: pass its replacement, loadModel(source, { customObjects: { '${name}': (inputs) => … } }), written with ops`,
  );
  const replaced = [...unknownClasses(problems), ...lambdas, ...problems.replaced];
  return {
    sentences: [...replaced, ...imageLayers(problems), ...problems.others],
    needCustomObjects: replaced.length > 0,
  };
}

function imageLayers({ images }: Problems): string[] {
  if (images.length === 0) return [];
  const what = images.length === 1 ? 'an image layer' : 'image layers';
  return [`${images.join(', ')}: ${what} of Keras, which this package does not have`];
}

const kModels = ['Functional', 'Sequential', 'Model'];

interface Problems {
  readonly budget: Budget;
  /** Names of layers by unknown class. */
  readonly classes: Map<string, string[]>;
  readonly lambdas: string[];
  readonly images: string[];
  /** Sentences about other parts that `customObjects` may replace. */
  readonly replaced: string[];
  readonly others: string[];
}

const kMaxDepth = 100;

/** Returns whether this entry and all inside it have no problem. */
function visit(entry: unknown, problems: Problems, depth: number): boolean {
  if (!isRecord(entry) || depth > kMaxDepth) return true;
  const { config } = entry;
  if (typeof entry['class_name'] !== 'string' || !isRecord(config)) return true;
  problems.budget.check();
  const parts = sublayerKeys.flatMap((key) => listOf(config[key]));
  const areValid = parts.map((part) => visit(part, problems, depth + 1)).every(Boolean);
  // A custom class may have a setting with the name `layers`.
  const isModel = Array.isArray(config['layers']) && kModels.includes(textOf(entry['class_name']));
  const isOp = textOf(entry['module']).includes('.ops');
  if (isOp) return isKnownOp(entry, problems);
  // An unknown custom class is reported even if layers inside it have problems.
  if (isModel || (!areValid && !isForeign(entry))) return areValid;
  return canCreate(entry, problems) && areValid;
}

/** Calls an op without arguments: if it exists, it fails with another error. */
function isKnownOp(entry: { [key: string]: unknown }, problems: Problems): boolean {
  const op = textOf(entry['class_name']);
  try {
    unwrap(native().opApply(op, [], {}));
  } catch (error) {
    if (codeOf(error) === 'ERR_UNKNOWN_OP') {
      // All other ops of the package are in maskflow/train.
      const isElsewhere = runtimeInfo().layers === 'all' && opNames.has(op);
      const remedy = isElsewhere ? "; import from 'maskflow/train', which has it" : '';
      problems.others.push(
        `'${textOf(entry['name'])}' is the operation ${op}: ${(error as Error).message}${remedy}`,
      );
      return false;
    }
  }
  return true;
}

function canCreate(entry: { [key: string]: unknown }, problems: Problems): boolean {
  try {
    native()._layer_free(unwrap(native().layerDeserialize(namedFunctions(entry))));
    return true;
  } catch (error) {
    if (!(error instanceof MaskflowError)) throw error;
    addProblem(entry, error, problems);
    return false;
  }
}

function addProblem(
  entry: { [key: string]: unknown },
  error: MaskflowError,
  problems: Problems,
): void {
  const className = textOf(entry['class_name']);
  const name = textOf(entry['name']) || textOf((entry['config'] as { name?: unknown }).name);
  if (error.code === 'ERR_UNKNOWN_ACTIVATION') {
    problems.replaced.push(
      `${className} '${name}': ${error.message}. Pass the function, loadModel(source, { customObjects: { '${unknownActivation(entry['config'])}': (x) => … } }), written with ops`,
    );
  } else if (error.code !== 'ERR_UNKNOWN_LAYER') {
    problems.others.push(`${className} '${name}': ${error.message}`);
  } else if (isImageLayer(entry)) {
    problems.images.push(`${className} '${name}'`);
  } else if (runtimeInfo().layers === 'all' && onlyInTrainingModule.has(className)) {
    problems.others.push(
      `${className} '${name}' is a layer of 'maskflow/train'; import from there instead`,
    );
  } else if (className === 'Lambda') {
    problems.lambdas.push(name);
  } else if (className === 'TFOpLambda') {
    const { function: operation } = entry['config'] as { function?: unknown };
    problems.replaced.push(
      `'${name}' is TensorFlow's ${operation}, which has no counterpart here: pass its replacement, loadModel(source, { customObjects: { '${name}': (inputs) => … } }), written with ops`,
    );
  } else {
    const full = textOf(entry['registered_name']) || className;
    addTo(problems.classes, full, name);
  }
}

function unknownClasses({ classes }: Problems): string[] {
  const byEntry = new Map<string | undefined, [name: string, layers: string[]][]>();
  for (const found of classes) addTo(byEntry, entryOf(found[0]), found);
  return [...byEntry].map(([entry, found]) => {
    const list = found.map(([name, layers]) => `${name} (${layers.join(', ')})`).join('; ');
    return entry
      ? `the layers ${list} are in '${entry}'; add import '${entry}'`
      : unknown(list, found[0]?.[0]);
  });
}

/** Returns the sentence about classes that no entry has. */
function unknown(list: string, first = ''): string {
  const [pack = 'Custom', bare = first] = first.includes('>')
    ? first.split('>')
    : ['Custom', first];
  return `unknown layer classes: ${list}. Write each as a class that extends Layer and register it, registerLayer(${bare}, { package: '${pack}', name: '${bare}' }), or pass it, loadModel(source, { customObjects: { '${bare}': ${bare} } })${native().absentNote}`;
}

/** Returns the name of the first activation in a config that the core does not know. */
function unknownActivation(config: unknown): string {
  const settings = Object.entries(config as object).filter(([key]) => key.endsWith('activation'));
  const [, unknown] = settings.find(([, activation]) => !isActivation(activation)) ?? [];
  return isRecord(unknown) ? textOf(unknown['config']) : String(unknown);
}

function isActivation(activation: unknown): boolean {
  const entry = { class_name: 'Activation', config: { activation } };
  try {
    native()._layer_free(unwrap(native().layerDeserialize(namedFunctions(entry))));
    return true;
  } catch (error) {
    return codeOf(error) !== 'ERR_UNKNOWN_ACTIVATION';
  }
}
