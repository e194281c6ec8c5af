// SPDX-License-Identifier: MIT
// Creates the vocabulary layers of a model file, with the vocabulary stored beside the config.
import { ConfigError, FormatError } from '../base/errors.js';
import type { SerializedObject } from '../formats/artifact.js';
import type { VocabularyFiles } from '../formats/text_splitting.js';
import { IntegerLookup } from './integer_lookup.js';
import { StringLookup } from './string_lookup.js';
import { TextVectorization } from './text_vectorization.js';

/** A layer that has a vocabulary. */
export type VocabularyLayer = TextVectorization | StringLookup | IntegerLookup;

const classes = { TextVectorization, StringLookup, IntegerLookup };

/** Returns whether the config is of a layer that has a vocabulary. */
export const isVocabularyLayer = ({ class_name: name }: SerializedObject): boolean =>
  Object.hasOwn(classes, name);

const folders: { readonly [className: string]: string } = {
  TextVectorization: 'text_vectorization',
  StringLookup: 'string_lookup',
  IntegerLookup: 'integer_lookup',
};

/** Returns the lines of a `vocabulary.txt`, without empty lines at the end, as Python does. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Returns the vocabulary of layer `index` of its class. Keras numbers the folders of a class; Keras
 * 2 skips numbers, but keeps the order.
 */
function fileOf(
  className: string,
  index: number,
  texts: VocabularyFiles['texts'],
): string | undefined {
  const base = folders[className] as string;
  const files = new Map<number, string>();
  for (const [path, text] of texts) {
    const parts = path.replaceAll('\\', '/').split('/');
    const folder = parts.find((part) => part === base || part.startsWith(`${base}_`));
    const number = Number(folder?.slice(base.length + 1) || 0);
    if (folder !== undefined && Number.isInteger(number)) files.set(number, text);
  }
  return [...files].sort(([a], [b]) => a - b)[index]?.[1];
}

// Limits far above the settings of real models; larger values would exhaust the memory.
const kMax: { readonly [setting: string]: number } = {
  output_sequence_length: 1_000_000,
  num_oov_indices: 1_000_000,
  max_tokens: 50_000_000,
  ngrams: 1000,
  num_bins: 50_000_000,
};

/** Throws FormatError for a setting of a file that would exhaust the memory. */
export function checkSizes(name: string, config: { readonly [setting: string]: unknown }): void {
  for (const [setting, max] of Object.entries(kMax)) {
    const excess = [config[setting]].flat().find((value) => Number(value) > max);
    if (excess === undefined) continue;
    throw new FormatError(`'${name}' has ${setting} ${String(excess)}, but the limit is ${max}`);
  }
}

/** Where a vocabulary layer is in its file. */
export interface Place {
  /** Path of the layer in Keras 3's files, such as layers/text_vectorization. */
  readonly path: string | undefined;
  /** Number of the layer among those of its class, from 0. */
  readonly index: number;
}

/** Weights of tf_idf, which `adapt` leaves out of the config; null if there are none. */
function idfWeights(path: string | undefined, { weights }: VocabularyFiles): number[] | null {
  const array =
    weights.get(`${path}/vars/idf_weights`) ??
    weights.get(`${path}/_lookup_layer/vars/idf_weights`);
  return array ? Array.from(array.read(), Number) : null;
}

/**
 * Creates a vocabulary layer from its config. Throws FormatError if the file does not contain its
 * vocabulary.
 */
export function vocabularyLayer(
  entry: SerializedObject,
  { path, index }: Place,
  files: VocabularyFiles,
): VocabularyLayer {
  const { class_name: className, config } = entry;
  const { texts } = files;
  const name = String(config['name'] ?? className);
  checkSizes(name, config);
  const { vocabulary } = config;
  if (typeof vocabulary === 'string' && !texts.has(vocabulary)) {
    throw new ConfigError(
      `${className} '${name}' reads its vocabulary from the file '${vocabulary}', which is not beside the model; put it there, or pass both, loadModel({ files: [model, vocabulary] }), or pass the layer, customObjects: { '${name}': new ${className}({ vocabulary }) }`,
      'ERR_CUSTOM_OBJECTS',
    );
  }
  const Class = classes[className as keyof typeof classes];
  if (Array.isArray(vocabulary)) return new Class(config);
  const text =
    typeof vocabulary === 'string'
      ? texts.get(vocabulary)
      : (texts.get(`assets/${path}/vocabulary.txt`) ?? fileOf(className, index, texts));
  if (text === undefined) {
    throw new FormatError(
      `${className} '${name}' has no vocabulary in this file, neither in its config nor in assets/…/vocabulary.txt; give one: loadModel(source, { customObjects: { '${name}': new ${className}({ vocabulary }) } })`,
      'ERR_CUSTOM_OBJECTS',
    );
  }
  const { idf_weights: weights, vocabulary: _, ...settings } = config;
  const layer = new Class(settings);
  const lines = linesOf(text);
  const stored = (weights as readonly number[] | null) ?? idfWeights(path, files);
  // With pad_to_max_tokens, zeros follow the weights of the vocabulary.
  const idf = Array.isArray(stored) ? stored.slice(0, lines.length) : stored;
  if (layer instanceof IntegerLookup) layer.setVocabulary(lines.map(Number), idf);
  else layer.setVocabulary(lines, idf);
  return layer;
}
