// SPDX-License-Identifier: MIT
// Files of PyTorch: `info` shows their modules, `convert` makes a model of some of them.
import { basename } from 'node:path';
import { ConfigError, FormatError } from '../src/base/errors.js';
import { visible } from '../src/base/visible.js';
import { Input, type Model, ready, Sequential } from '../src/index.js';
import { openSource } from '../src/formats/open/source.js';
import { containerOf } from '../src/formats/open/recognise.js';
import { isTorchFile, readTorchFrom } from '../src/formats/torch/read_torch.js';
import { isKind } from '../src/formats/torch/kinds/index.js';
import type { TorchLayerOptions } from '../src/formats/torch/settings.js';
import type { TorchFile, TorchModule } from '../src/formats/torch/torch_file.js';
import { checkExists, readBytes, sizeText } from './files.js';
import { jsonText, print } from './print.js';
import { UsageError } from './usage.js';

const sourceOf = (path: string): string | Uint8Array => {
  if (path === '-') return readBytes(path);
  checkExists(path);
  return path;
};

/** Reads a file; errors name the option of the command. */
async function readTorch(source: string | Uint8Array, inside?: string): Promise<TorchFile> {
  try {
    return await readTorchFrom(ready, source, inside === undefined ? {} : { inside });
  } catch (error) {
    if (error instanceof ConfigError) {
      error.message = error.message.replace(
        /readTorch\(source, \{ inside: (.*) \}\)/,
        '--inside $1',
      );
    }
    throw error;
  }
}

/** The bytes of a file of PyTorch; undefined for other files. */
async function torchBytes(path: string): Promise<Uint8Array | undefined> {
  const checkHead = (head: Uint8Array, name: string): void => {
    if (head[0] !== 0x80 && head[8] !== 0x7b) containerOf(head, name);
  };
  const { bytes } = await openSource(sourceOf(path), {}, checkHead);
  return isTorchFile(bytes) ? bytes : undefined;
}

/** Settings that files of PyTorch lack, and that a program may have to add, by kind. */
const notes: { readonly [kind: string]: string } = {
  Embedding: 'add { maskZero: true } if id 0 is padding that PyTorch packs away',
  Conv1d: 'add stride, padding, dilation, groups if they are not 1, 0, 1, 1',
  RNN: "add nonlinearity if it is not 'tanh'",
  LayerNorm: 'add eps if it is not 1e-5',
  RMSNorm: 'add eps if the module has one',
  BatchNorm1d: 'add eps if it is not 1e-5',
  Linear: 'add the activation that follows',
  TransformerEncoderLayer: "add activation, normFirst if they are not 'relu', false",
  TransformerEncoder: "add activation, normFirst if they are not 'relu', false",
};

/** The settings that a note of a kind names. */
const named: { readonly [kind: string]: string } = {
  Conv1d: 'stride',
  RNN: 'nonlinearity',
  LayerNorm: 'eps',
  RMSNorm: 'eps',
  BatchNorm1d: 'eps',
  TransformerEncoderLayer: 'normFirst',
  TransformerEncoder: 'normFirst',
};

const kLast = 'the last step; leave returnSequences out for all steps';
const kBoth =
  'all steps. { returnSequences: false } is cat(h[-2], h[-1]), whose second half is the state of the backward direction after the first step; o[:, -1] has its state at the last step: take the last step of the result';

/**
 * A line of a program, with a comment; null if the line cannot run before somebody completes it.
 */
interface Line {
  readonly options: string;
  readonly comment: string;
  readonly isComplete: boolean;
}

/** The line for a module that has to be completed. */
const incomplete = (options: string, comment: string): Line => ({
  options,
  comment,
  isComplete: false,
});

/** The call of \`layer\` for a module that the file tells enough of; else what is missing. */
function lineOf(module: TorchModule, isLastRecurrent: boolean): Line {
  const { kind } = module;
  const kinds = kind.split(' or ');
  if (kinds.length > 1) return incomplete(`, { kind: '${kinds[0]}' }`, `${kind}: say which`);
  if (!isKind(kind)) return incomplete('', `${kind}: file.get(name) returns its tensors`);
  if (kind === 'MultiheadAttention') {
    return incomplete(
      'numHeads' in module ? '' : ', { numHeads: … }',
      `${kind}: apply it to { query, value }`,
    );
  }
  if (/^Transformer/.test(kind) && !('nhead' in module)) {
    return incomplete(', { nhead: … }', `${kind}: say nhead, which divides ${module.dModel}`);
  }
  const isKnown = (named[kind] ?? '') in module;
  const note = isKnown ? undefined : notes[kind];
  const recurrent = /^(LSTM|GRU|RNN)$/.test(kind) && isLastRecurrent;
  const last = recurrent && (module.bidirectional ? kBoth : kLast);
  const comment = [last, note].filter(Boolean).join('; ');
  return {
    options: recurrent && !module.bidirectional ? ', { returnSequences: false }' : '',
    comment: comment === '' ? kind : `${kind}: ${comment}`,
    isComplete: true,
  };
}

/** A program that makes a model of the modules. */
function programOf(name: string, modules: readonly TorchModule[], inside?: string): string {
  const options = inside === undefined ? '' : `, { inside: ${JSON.stringify(inside)} }`;
  const last = [...modules].reverse().find(({ kind }) => /^(LSTM|GRU|RNN)$/.test(kind));
  const lines = modules.map((module) => {
    const { options: said, comment, isComplete } = lineOf(module, module === last);
    const call = `file.layer(${JSON.stringify(module.path)}${said}),`;
    return isComplete ? `  ${call} // ${comment}` : `  // ${call} // ${comment}`;
  });
  return [
    "import { readTorch, Sequential } from 'maskflow/torch';",
    '',
    `const file = await readTorch(${JSON.stringify(name)}${options});`,
    '// The file does not say the order of the modules, nor what the comments name: compare them',
    '// with the Python class.',
    'const model = new Sequential([',
    ...lines,
    ']);',
  ].join('\n');
}

function moduleText({ path, kind, ...facts }: TorchModule): string {
  const sizes = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return visible(`  ${path || "''"}  ${kind}  ${sizes.join(', ')}`);
}

/** Prints the modules of a file of PyTorch. Returns false for other files. */
export async function describeTorch(
  path: string,
  json: boolean,
  inside: string | undefined,
): Promise<boolean> {
  const bytes = await torchBytes(path);
  if (!bytes) return false;
  const file = await readTorch(bytes, inside);
  const { modules, names } = file;
  if (json) {
    print(jsonText({ file: path, bytes: bytes.length, modules, names }));
    return true;
  }
  print(visible(`${path}, ${sizeText(bytes.length)}, PyTorch`));
  print(modules.map(moduleText).join('\n'));
  const inModules = (name: string): boolean =>
    modules.some(({ path: each }) => each === '' || name.startsWith(`${each}.`));
  const others = names.filter((name) => !inModules(name));
  if (others.length > 0) print(visible(`other tensors: ${others.join(', ')}`));
  print(`\n${programOf(path === '-' ? 'model.pth' : basename(path), modules, inside)}`);
  return true;
}

/** Parses --options: JSON with the settings of each module by its path. */
function optionsOf(
  text: string | undefined,
  paths: readonly string[],
): {
  [path: string]: TorchLayerOptions;
} {
  if (text === undefined) return {};
  let options: unknown;
  try {
    options = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--options is not JSON: ${(error as Error).message}`);
  }
  const entries = Object.entries(Object(options)) as [string, TorchLayerOptions][];
  const unknown = entries.find(([path]) => !paths.includes(path));
  if (unknown) {
    throw new UsageError(
      `--options has '${unknown[0]}', which is not one of --modules: ${paths.join(', ')}`,
    );
  }
  return Object.fromEntries(entries);
}

/** Returns the input of a shape such as none,9: without the batch; none is any number of steps. */
function inputOf(text: string, { modules }: TorchFile, path: string): ReturnType<typeof Input> {
  const sizes = text.split(',').map((size) => size.trim().toLowerCase());
  const shape = sizes.map((size) => (/^(none|null|\?)$/.test(size) ? null : Number(size)));
  if (shape.some((size) => size !== null && !(Number.isSafeInteger(size) && size > 0))) {
    throw new UsageError(
      `--input-shape is '${text}' but must be sizes without the batch, such as none,9`,
    );
  }
  const { kind } = modules.find((each) => each.path === path) ?? {};
  const isIds = kind?.startsWith('Embedding') ?? false;
  return Input({ shape, ...(isIds && { dtype: 'int32' }) });
}

/** Returns the input of a model that begins with this module. */
function inputFor({ modules }: TorchFile, path: string): ReturnType<typeof Input> {
  const module = modules.find((each) => each.path === path || each.path.endsWith(`.${path}`));
  const { kind, inputSize, dModel, inChannels, inFeatures, numFeatures } = module ?? {};
  const steps = inputSize ?? dModel ?? inChannels;
  if (steps !== undefined) return Input({ shape: [null, steps] });
  const features = inFeatures ?? numFeatures;
  if (features !== undefined) return Input({ shape: [features] });
  if (kind?.startsWith('Embedding')) return Input({ shape: [null], dtype: 'int32' });
  throw new UsageError(
    `a model cannot begin with '${path}'${kind ? ` (${kind})` : ''}; begin --modules with an Embedding, a recurrent layer, an encoder, a Conv1d or a Linear, or say --input-shape`,
  );
}

/** Makes a model of modules, one after the other. */
export async function openTorch(
  path: string,
  list: string,
  {
    options,
    inside,
    inputShape,
  }: { options: string | undefined; inside: string | undefined; inputShape: string | undefined },
): Promise<Model> {
  const paths = list.split(',').map((each) => each.trim());
  const settingsByPath = optionsOf(options, paths);
  const file = await readTorch(sourceOf(path), inside);
  const layers = paths.map((each) => file.layer(each, settingsByPath[each] ?? {}));
  const [first = ''] = paths;
  const input = inputShape === undefined ? inputFor(file, first) : inputOf(inputShape, file, first);
  return new Sequential([input, ...layers]);
}

/** Throws FormatError with the remedy for a file of PyTorch without --modules. */
export async function refuseTorch(path: string): Promise<void> {
  if (path === '-' || !(await torchBytes(path).catch(() => undefined))) return;
  throw new FormatError(
    `${path} is a file of PyTorch: name its modules in order, --modules embedding,rnn,fc (maskflow info shows them)`,
  );
}
