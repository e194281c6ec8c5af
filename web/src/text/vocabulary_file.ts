// SPDX-License-Identifier: MIT
// Vocabulary layers of a model file, with the vocabulary that stands beside the configuration.
import { ConfigError, FormatError } from '../base/errors.js';
import type { SerializedObject } from '../formats/artifact.js';
import { IntegerLookup } from './integer_lookup.js';
import { StringLookup } from './string_lookup.js';
import { TextVectorization } from './text_vectorization.js';

export type VocabularyLayer = TextVectorization | StringLookup | IntegerLookup;
/** Texts of the archive's `assets` by path. */
export type Texts = ReadonlyMap<string, string>;

const classes = { TextVectorization, StringLookup, IntegerLookup };

export const isVocabularyLayer = ({ class_name: name }: SerializedObject): boolean =>
  Object.hasOwn(classes, name);

const folders: { readonly [className: string]: string } = {
  TextVectorization: 'text_vectorization',
  StringLookup: 'string_lookup',
  IntegerLookup: 'integer_lookup',
};

/** The lines of a `vocabulary.txt`; Python ignores empty ones at the end. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Keras counts the layers of a class; the folders of Keras 2 leave numbers out, but keep the order. */
function fileOf(className: string, place: number, texts: Texts): string | undefined {
  const base = folders[className] as string;
  const found = new Map<number, string>();
  for (const [path, text] of texts) {
    const parts = path.replaceAll('\\', '/').split('/');
    const folder = parts.find((part) => part === base || part.startsWith(`${base}_`));
    const number = Number(folder?.slice(base.length + 1) || 0);
    if (folder !== undefined && Number.isInteger(number)) found.set(number, text);
  }
  return [...found].sort(([a], [b]) => a - b)[place]?.[1];
}

// What no model comes near, and what would take the memory.
const kMost: { readonly [setting: string]: number } = {
  output_sequence_length: 1_000_000,
  num_oov_indices: 1_000_000,
  max_tokens: 50_000_000,
  ngrams: 1000,
};

function checkSizes(name: string, config: { readonly [setting: string]: unknown }): void {
  for (const [setting, most] of Object.entries(kMost)) {
    const given = [config[setting]].flat().find((value) => Number(value) > most);
    if (given === undefined) continue;
    throw new FormatError(`'${name}' has ${setting} ${String(given)}; at most ${most} can be read`);
  }
}

/** Makes the layer. FormatError when its vocabulary is nowhere. `place`: among the layers of its class. */
export function vocabularyLayer(
  entry: SerializedObject,
  place: number,
  texts: Texts,
): VocabularyLayer {
  const { class_name: className, config } = entry;
  const name = String(config['name'] ?? className);
  checkSizes(name, config);
  if (typeof config['vocabulary'] === 'string') {
    throw new ConfigError(
      `${className} '${name}' takes its vocabulary from the file '${config['vocabulary']}' of the machine where it was made: save the model in Python with the vocabulary as a list`,
    );
  }
  const Class = classes[className as keyof typeof classes];
  if (Array.isArray(config['vocabulary'])) return new Class(config);
  const text = fileOf(className, place, texts);
  if (text === undefined) {
    throw new FormatError(
      `${className} '${name}' has no vocabulary in this file, neither in its configuration nor in assets/…/vocabulary.txt; give one, loadModel(source, { customObjects: { '${name}': new ${className}({ vocabulary }) } })`,
    );
  }
  const { idf_weights: weights = null, ...settings } = config;
  const layer = new Class(settings);
  const lines = linesOf(text);
  const idf = weights as readonly number[] | null;
  if (layer instanceof IntegerLookup) layer.setVocabulary(lines.map(Number), idf);
  else layer.setVocabulary(lines, idf);
  return layer;
}
