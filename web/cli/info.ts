// SPDX-License-Identifier: MIT
// The work of `maskflow info`: facts about a file, its layers or its unknown classes.
import { basename } from 'node:path';
import type { Artifact, SerializedObject } from '../src/formats/artifact.js';
import { visible, visibleLines } from '../src/base/visible.js';
import { readArtifact } from '../src/formats/load.js';
import type { OpenFile } from '../src/formats/open/open_file.js';
import { openSource } from '../src/formats/open/source.js';
import { summaryRows } from '../src/model/summary.js';
import { writeSkeleton } from '../src/index.js';
import { checkExists, readBytes, sizeText } from './files.js';
import { openModel } from './model.js';
import { jsonText, print } from './print.js';
import { describePickle } from './pickle.js';
import { describeTorch } from './torch.js';
import { UsageError } from './usage.js';

interface StoredArray {
  name: string;
  shape: readonly number[];
  dtype: string;
}

const storedIn = ({ weights }: Artifact): StoredArray[] =>
  !weights
    ? []
    : weights.kind === 'tree'
      ? [...weights.arrays].map(([name, { shape, dtype }]) => ({ name, shape, dtype }))
      : weights.layers.flatMap((layer) => layer.weights);

const count = (number: number, what: string): string =>
  `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;

function headline({ name, bytes }: OpenFile, { kerasVersion, hardSigmoid }: Artifact): string {
  const parts = [name, sizeText(bytes.length)];
  parts.push(kerasVersion ? `Keras ${kerasVersion}` : 'unknown version of Keras');
  if (hardSigmoid === 'keras2') parts.push('hard_sigmoid means clip(0.2 x + 0.5)');
  return visible(parts.join(', '));
}

/** Returns the classes in a config, for a model that cannot be built. */
function classesOf(config: SerializedObject): string {
  const layers = config.config['layers'];
  const names = (Array.isArray(layers) ? layers : []).map((layer) => String(layer?.class_name));
  return visible(`${config.class_name} of ${names.join(', ')}`);
}

function weightsText(stored: readonly StoredArray[]): string {
  const lines = stored.map(({ name, shape, dtype }) =>
    visible(`  ${name}  (${shape.join(', ')})  ${dtype}`),
  );
  return [`weights only: ${count(stored.length, 'array')}`, ...lines].join('\n');
}

/** A program that uses weights which have no architecture. */
function weightsProgram(path: string): string {
  const name = JSON.stringify(path === '-' ? 'model.weights.h5' : basename(path));
  return [
    "import { loadModel } from 'maskflow';",
    '',
    '// architecture.json is what model.to_json() of Keras returns. With a model that has the same',
    '// layers, write: await model.loadWeights(…);',
    `const model = await loadModel('architecture.json', { weights: ${name} });`,
  ].join('\n');
}

/** Prints facts about a file and the layers of its model, or the classes if it cannot be built. */
export async function describeFile(
  path: string,
  json: boolean,
  inside: string | undefined,
): Promise<void> {
  if (path !== '-') checkExists(path);
  // Standard input can be read once only.
  if (path !== '-' && (await describeTorch(path, json, inside))) return;
  if (path !== '-' && inside === undefined && (await describePickle(path, json))) return;
  if (inside !== undefined)
    throw new UsageError(`--inside is for files of PyTorch; ${path} is not`);
  const opened = await openSource(path === '-' ? readBytes(path) : path);
  const file = path === '-' ? { ...opened, name: 'standard input' } : opened;
  const artifact = await readArtifact(file);
  const about = {
    file: file.name,
    bytes: file.bytes.length,
    kerasVersion: artifact.kerasVersion,
    hardSigmoid: artifact.hardSigmoid ?? 'keras3',
  };
  if (!json) print(headline(file, artifact));
  if (!artifact.config) {
    const weights = storedIn(artifact);
    print(json ? jsonText({ ...about, weights }) : weightsText(weights));
    if (!json) print(`\n${visibleLines(weightsProgram(path))}`);
    return;
  }
  const model = await openModel(path === '-' ? file.bytes : path).catch((error) => {
    if (!json) print(classesOf(artifact.config as SerializedObject));
    throw error;
  });
  const layers = summaryRows(model);
  if (json) print(jsonText({ ...about, model: model.name, layers }));
  else model.summary({ print });
}

/** Prints a module with a class for each unknown class of a model. */
export async function printSkeleton(path: string): Promise<void> {
  if (path !== '-') checkExists(path);
  print((await writeSkeleton(path === '-' ? readBytes(path) : path)).trimEnd());
}
