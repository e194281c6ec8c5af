// SPDX-License-Identifier: MIT
// Files that were dropped or chosen. Only the worker reads them, not the page.
import { count } from '../../shared/text.js';

const maxBytes = 200e6;
const maxFiles = 500;

/** The value that the program sees as `given`. */
export interface Given {
  /** Argument of `loadModel`. */
  model: File | { files: File[] };
  recorded?: File;
  /** Files with a tokenizer or a scaler. */
  beside?: readonly File[];
}

export interface Chosen {
  given?: Given;
  /** Name and size of the model, for people. */
  title: string;
  /** A sentence that says why these files cannot be used. */
  problem?: string;
}

/**
 * Separates the recording, and the files beside the model, from those of the model. Files without a
 * model belong to the one that was chosen before.
 */
export async function choose(files: readonly File[], before?: Given): Promise<Chosen> {
  const title =
    files.length === 1 ? (files[0]?.name ?? '') : `${files[0]?.name} and ${files.length - 1} more`;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length === 0) return { title, problem: 'You dropped no files. Drop a model file.' };
  if (files.length > maxFiles)
    return {
      title,
      problem: `These are ${count(files.length, 'file')}; this page accepts ${maxFiles}. Drop only the folder of the model.`,
    };
  if (bytes > maxBytes)
    return {
      title,
      problem: `${title} is ${megabytes(bytes)}; this page accepts up to ${megabytes(maxBytes)}. In your own program, loadModel(file) has no such limit.`,
    };
  const kinds = await Promise.all(files.map(kindOf));
  const of = (kind: Kind) => files.filter((_, index) => kinds[index] === kind);
  const [pickles, whole, [recorded = before?.recorded]] = [
    of('pickle'),
    of('model'),
    of('recording'),
  ];
  // A pickle without a model beside it may be the model itself.
  const isModel = whole.length === 0 && before === undefined;
  const model = isModel ? pickles : whole.length > 0 ? whole : filesOf(before);
  const beside = [...of('tokenizer'), ...(isModel ? [] : pickles)];
  const [first, ...others] = model;
  if (!first)
    return {
      title,
      problem: `${title} ${beside[0] ? 'belongs to a model' : 'is a recording'}; drop its model as well.`,
    };
  const names = [recorded, ...beside].flatMap((file) => file?.name ?? []);
  const size = model.reduce((sum, file) => sum + file.size, 0);
  return {
    title: [
      `${nameOf(model)}, ${megabytes(size)}`,
      ...(names[0] ? [`with ${names.join(' and ')}`] : []),
    ].join(', '),
    given: {
      model: others.length === 0 ? first : { files: model },
      ...(recorded && { recorded }),
      ...(beside.length > 0 && { beside }),
    },
  };
}

const filesOf = (given: Given | undefined): File[] =>
  given === undefined ? [] : 'files' in given.model ? given.model.files : [given.model];

type Kind = 'recording' | 'tokenizer' | 'pickle' | 'model';

/** Returns what a file holds, by its name and by the start of its text. */
async function kindOf(file: File): Promise<Kind> {
  if (/\.(?:pickle|pkl|joblib|sav)$/i.test(file.name)) return 'pickle';
  if (await isRecording(file)) return 'recording';
  return (await isTokenizer(file)) ? 'tokenizer' : 'model';
}

/** Whether a file is the JSON of a Tokenizer of Keras. */
async function isTokenizer(file: File): Promise<boolean> {
  if (!/\.json$/i.test(file.name)) return false;
  const head = await file
    .slice(0, 2000)
    .text()
    .catch(() => '');
  // The JSON may be in a string once more, as json.dump(tokenizer.to_json()) writes it.
  return /^\s*"?\{\s*\\?"class_name\\?"\s*:\s*\\?"Tokenizer/.test(head);
}

function nameOf(files: readonly File[]): string {
  const entry = files.find(({ name }) => name.endsWith('.json')) ?? files[0];
  return files.length === 1
    ? (entry?.name ?? '')
    : `${entry?.name} and ${count(files.length - 1, 'other file')}`;
}

export const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Whether a file is an .npz, or JSON that starts like a recording. */
async function isRecording(file: File): Promise<boolean> {
  if (/\.npz$/i.test(file.name)) return true;
  if (!/\.json$/i.test(file.name)) return false;
  try {
    const head = await file.slice(0, 100_000).text();
    return /"inputs"\s*:/.test(head) && !/"(class_name|modelTopology|model_config)"\s*:/.test(head);
  } catch {
    // Files that cannot be read are not a recording; loading them as a model reports the error.
    return false;
  }
}

/** Returns the dropped files, including those inside folders. */
export async function dropped(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const files: File[] = [];
  for (const entry of entries) await unfold(entry, files);
  return files;
}

async function unfold(entry: FileSystemEntry, files: File[]): Promise<void> {
  if (files.length > maxFiles) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    // Hidden files, which operating systems add to folders, belong to no model.
    if (!file.name.startsWith('.')) files.push(file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const read = () =>
    new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  // Some browsers return at most 100 entries per call.
  for (let entries = await read(); entries.length > 0; entries = await read())
    for (const each of entries) await unfold(each, files);
}

/** Returns the first file with Python code: a program or a notebook. */
export const pythonIn = (files: readonly File[]): File | undefined =>
  files.find(({ name }) => /\.(?:py|ipynb)$/i.test(name));

/** Returns the first file that contains weights only. */
export const weightsIn = (files: readonly File[]): File | undefined =>
  files.find(({ name }) => /\.weights\.h5$/i.test(name));
