// SPDX-License-Identifier: MIT
import { native, unwrap } from '../../engine/engine.js';
import { MaskflowError } from '../../base/errors.js';
import type { ConfigValue } from '../../engine/config_value.js';
import { isForeign } from '../../layers/registry.js';
import type { Budget } from '../open/budget.js';
import { isRecord, listOf, textOf } from '../json.js';

// Where configurations have other layers inside.
const inside = ['layer', 'forward_layer', 'backward_layer', 'cell', 'cells', 'layers'];

/**
 * What is wrong with the layers of a configuration, a sentence each: every one is made by itself, innermost first, and
 * thrown away. Classes that are not known come together, with what to do.
 */
export function problemsIn(config: unknown, budget: Budget): string[] {
  const found: Found = { budget, classes: new Map(), note: '', lambdas: [], others: [] };
  visit(config, found, 0);
  const lambdas = found.lambdas.map(
    (name) =>
      `'${name}' is a Lambda, Python code that cannot run here: pass its replacement, loadModel(source, { customObjects: { '${name}': (inputs) => … } }), written with ops`,
  );
  return [...unknownClasses(found), ...lambdas, ...found.others];
}

const kModels = ['Functional', 'Sequential', 'Model'];

interface Found {
  readonly budget: Budget;
  /** Names of layers by unknown class. */
  readonly classes: Map<string, string[]>;
  /** Where else a class may be; the core says so. */
  note: string;
  readonly lambdas: string[];
  readonly others: string[];
}

const kDeepest = 100;

/** Is this entry, and all inside, in order? */
function visit(entry: unknown, found: Found, depth: number): boolean {
  if (!isRecord(entry) || depth > kDeepest) return true;
  const { config } = entry;
  if (typeof entry['class_name'] !== 'string' || !isRecord(config)) return true;
  found.budget.check();
  const parts = inside.flatMap((key) => listOf(config[key]));
  const good = parts.map((part) => visit(part, found, depth + 1)).every(Boolean);
  // (A class of somebody's own may have a setting of that name.)
  const isModel = Array.isArray(config['layers']) && kModels.includes(textOf(entry['class_name']));
  const isOp = textOf(entry['module']).includes('.ops');
  if (isOp) return isKnownOp(entry, found);
  // Somebody's own class is asked for before what it holds.
  if (isModel || (!good && !isForeign(entry))) return good;
  return tried(entry, found) && good;
}

/** An op is asked for without operands: one that there is asks for them. */
function isKnownOp(entry: { [key: string]: unknown }, found: Found): boolean {
  const op = textOf(entry['class_name']);
  try {
    unwrap(native().opApply(op, [], {}));
  } catch (error) {
    if ((error as Error).message.includes('there is no op')) {
      found.others.push(
        `'${textOf(entry['name'])}' is the operation ${op}: ${(error as Error).message}`,
      );
      return false;
    }
  }
  return true;
}

function tried(entry: { [key: string]: unknown }, found: Found): boolean {
  try {
    native()._layer_free(unwrap(native().layerDeserialize(entry as ConfigValue)));
    return true;
  } catch (error) {
    if (!(error instanceof MaskflowError)) throw error;
    note(entry, error, found);
    return false;
  }
}

function note(entry: { [key: string]: unknown }, error: MaskflowError, found: Found): void {
  const className = textOf(entry['class_name']);
  const name = textOf(entry['name']) || textOf((entry['config'] as { name?: unknown }).name);
  const activation = quoted(error.message, "unknown activation '");
  if (activation !== undefined) {
    found.others.push(
      `${className} '${name}': ${error.message}. For an Activation, Dense, EinsumDense or convolution pass it, loadModel(source, { customObjects: { '${activation}': (x) => … } }), written with ops; for others, a class of your own in place of the layer`,
    );
  } else if (!error.message.includes('unknown layer class')) {
    found.others.push(`${className} '${name}': ${error.message}`);
  } else if (className === 'Lambda') {
    found.lambdas.push(name);
  } else if (className === 'TFOpLambda') {
    const { function: what } = entry['config'] as { function?: unknown };
    found.others.push(
      `'${name}' is TensorFlow's ${what}, which has no counterpart here: pass its replacement, loadModel(source, { customObjects: { '${name}': (inputs) => … } }), written with ops`,
    );
  } else {
    const full = textOf(entry['registered_name']) || className;
    found.note = error.message.split('registerLayer').slice(1).join('registerLayer');
    const known = found.classes.get(full);
    if (known) known.push(name);
    else found.classes.set(full, [name]);
  }
}

function unknownClasses({ classes, note }: Found): string[] {
  if (classes.size === 0) return [];
  const list = [...classes].map(([name, layers]) => `${name} (${layers.join(', ')})`).join('; ');
  const [first = ''] = classes.keys();
  const [pack = 'Custom', bare = first] = first.includes('>')
    ? first.split('>')
    : ['Custom', first];
  return [
    `unknown layer classes: ${list}. Write each as a class that extends Layer and register it, registerLayer(${bare}, { package: '${pack}', name: '${bare}' }), or pass it, loadModel(source, { customObjects: { '${bare}': ${bare} } })${note}`,
  ];
}

/** What stands in quotes behind these words. */
function quoted(message: string, before: string): string | undefined {
  const at = message.indexOf(before);
  if (at < 0) return undefined;
  const rest = message.slice(at + before.length);
  return rest.slice(0, Math.max(0, rest.indexOf("'")));
}
