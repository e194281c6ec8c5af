// SPDX-License-Identifier: MIT
// Files that were dropped or chosen. They stay files: the worker reads them, the page does not.
import { count } from '../../shared/text.js';

const mostBytes = 200e6;
const mostFiles = 500;

/** What the program finds as `given`. */
export interface Given {
  /** What `loadModel` takes. */
  model: File | { files: File[] };
  recorded?: File;
}

export interface Chosen {
  given?: Given;
  /** For people: the model's name, and how large it is. */
  title: string;
  /** Why these files cannot be tried, in a sentence. */
  problem?: string;
}

/** Tells the recording from the model. */
export async function choose(files: readonly File[]): Promise<Chosen> {
  const title =
    files.length === 1 ? (files[0]?.name ?? '') : `${files[0]?.name} and ${files.length - 1} more`;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length === 0) return { title, problem: 'There was no file in what was dropped.' };
  if (files.length > mostFiles)
    return {
      title,
      problem: `These are ${count(files.length, 'file')}; this page takes ${mostFiles}. Drop the folder of the model alone.`,
    };
  if (bytes > mostBytes)
    return {
      title,
      problem: `${title} is ${megabytes(bytes)}; this page takes up to ${megabytes(mostBytes)}. In a program of your own there is no such limit: loadModel(file).`,
    };
  const kinds = await Promise.all(files.map(isRecording));
  const recorded = files.find((_, index) => kinds[index]);
  const model = files.filter((_, index) => !kinds[index]);
  const [first, ...others] = model;
  if (!first)
    return { title, problem: `${title} is a recording; drop the model that it is of, too.` };
  return {
    title: `${nameOf(model)}, ${megabytes(model.reduce((sum, { size }) => sum + size, 0))}${recorded ? `, with ${recorded.name}` : ''}`,
    given: {
      model: others.length === 0 ? first : { files: model },
      ...(recorded && { recorded }),
    },
  };
}

function nameOf(files: readonly File[]): string {
  const entry = files.find(({ name }) => name.endsWith('.json')) ?? files[0];
  return files.length === 1
    ? (entry?.name ?? '')
    : `${entry?.name} and ${count(files.length - 1, 'other file')}`;
}

export const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** An .npz, or JSON that begins as a recording does. */
async function isRecording(file: File): Promise<boolean> {
  if (/\.npz$/i.test(file.name)) return true;
  if (!/\.json$/i.test(file.name)) return false;
  try {
    const head = await file.slice(0, 100_000).text();
    return /"inputs"\s*:/.test(head) && !/"(class_name|modelTopology|model_config)"\s*:/.test(head);
  } catch {
    // Not readable: loading says so.
    return false;
  }
}

/** What was dropped, folders unfolded. */
export async function dropped(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const found: File[] = [];
  for (const entry of entries) await unfold(entry, found);
  return found;
}

async function unfold(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (found.length > mostFiles) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    // What systems put into folders by themselves is of no model.
    if (!file.name.startsWith('.')) found.push(file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const read = () =>
    new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
  // A reader gives a hundred at a time.
  for (let some = await read(); some.length > 0; some = await read())
    for (const each of some) await unfold(each, found);
}
