// SPDX-License-Identifier: MIT
// Models of the hub of Hugging Face: hf://owner/repo/file.keras, and Keras's hf://owner/repo.
import { refuse } from '../../../base/check.js';
import { ConfigError, FormatError } from '../../../base/errors.js';
import { isRecord } from '../../json.js';
import { decodeUtf8 } from '../../../engine/utf8.js';
import type { FetchFile, OpenFile, Opening } from '../open_file.js';

const kUsualHub = 'https://huggingface.co';
const kConfig = 'config.json';
const kWeights = 'model.weights.h5';

/** A repository, or a file in it. */
interface HubAddress {
  readonly repository: string;
  readonly revision: string;
  /** Path of the file; empty for the repository. */
  readonly path: string;
}

const isName = (text: string | undefined): boolean =>
  text !== undefined && /^[\w.-]{1,96}$/.test(text) && !/^\.+$/.test(text);

/** Parses hf://owner/repo@revision/path. Throws ConfigError for another address. */
function parse(address: string): HubAddress {
  const [owner, named = '', ...folders] = address.slice('hf://'.length).split('/');
  const [repository, revision = 'main', ...more] = named.split('@');
  const path = folders.join('/');
  const isPath = !folders.some((folder) => folder === '..' || folder === '.');
  const isRevision = isName(revision) && more.length === 0;
  if (isName(owner) && isName(repository) && isRevision && isPath) {
    return { repository: `${owner}/${repository}`, revision, path };
  }
  throw new ConfigError(
    `'${address}' is not an address of the hub; write hf://owner/repo/file.keras or hf://owner/repo, with a revision hf://owner/repo@revision/…`,
  );
}

/** The address of the hub: the option, the variable HF_ENDPOINT, or the public one. */
function hubOf(hub: unknown): string {
  const { process } = globalThis as { process?: { env?: { [name: string]: string | undefined } } };
  const base = hub ?? (process?.env?.['HF_ENDPOINT'] || kUsualHub);
  const isWeb = /^https?:\/\/[^\s?#]+$/.test(String(base));
  if (!isWeb) refuse('hub', 'an address of http: or https:', base, ConfigError);
  return String(base).replace(/\/+$/, '');
}

/** Opens a model of the hub. */
export async function openHub(
  address: string,
  opening: Opening,
  fetchFile: FetchFile,
): Promise<OpenFile> {
  const { repository, revision, path } = parse(address);
  const hub = hubOf(opening.hub);
  const encoded = (text: string): string => text.split('/').map(encodeURIComponent).join('/');
  let version = revision;
  const get: GetFile = (file, maxBytes) =>
    fetchFile(`${hub}/${repository}/resolve/${version}/${encoded(file)}`, {
      ...opening,
      maxBytes,
    }).catch(advise(repository));
  const api = `${hub}/api/models/${repository}/revision/${revision}`;
  // The list of files has numbers that change every day, so it is not part of a version.
  const list = (): Promise<OpenFile> => fetchFile(api, { ...opening, load: {} });
  // Files of a model come from one commit. The cache compares versions itself, and keeps files by
  // their addresses, which stay the same.
  const pin = (listing: OpenFile): void => {
    if (!opening.cache) version = commitIn(listing) ?? revision;
  };
  if (path !== '') {
    const hasSiblings = /\.json$/i.test(path) && !opening.cache;
    // Without a list, the revision itself is the version.
    if (hasSiblings) await list().then(pin, () => {});
    return fileAt(path, get);
  }
  const listing = await list().catch(advise(repository));
  pin(listing);
  const names = namesIn(listing, opening);
  if ([kConfig, kWeights].every((name) => names.includes(name))) {
    return unpackedModel(address, names, opening, get);
  }
  return fileAt(onlyModel(names, address), get);
}

/** Fetches a file of the repository. */
type GetFile = (path: string, maxBytes?: number) => Promise<OpenFile>;

/** Adds a remedy to the hub's answer for a repository that a visitor may not see. */
const advise =
  (repository: string) =>
  (error: unknown): never => {
    if (error instanceof FormatError && error.code === 'ERR_NOT_FOUND') {
      error.message += `; check that the repository ${repository} and the file exist. For a private one, pass a Request with the header Authorization`;
    }
    throw error;
  };

/** Files beside it are relative to its place in the repository, not to where the hub stores it. */
async function fileAt(path: string, get: GetFile): Promise<OpenFile> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return {
    ...(await get(path)),
    sibling: (other, maxBytes) => get(folder + checkInside(other), maxBytes),
  };
}

function checkInside(path: string): string {
  if (!path.split('/').includes('..') && !path.startsWith('/')) return path;
  throw new FormatError(
    `the file refers to '${path}', which is outside its folder; only files beside it are read`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The commit in the hub's description of a repository. */
function commitIn({ bytes }: OpenFile): string | undefined {
  const json = parsed(decodeUtf8(bytes));
  const commit = isRecord(json) ? json['sha'] : undefined;
  return typeof commit === 'string' && /^[0-9a-f]{40}$/.test(commit) ? commit : undefined;
}

/** Names of the files in the hub's description of a repository. */
function namesIn({ name, bytes }: OpenFile, { budget }: Opening): string[] {
  const json = parsed(decodeUtf8(bytes));
  const siblings = isRecord(json) ? json['siblings'] : undefined;
  if (!Array.isArray(siblings)) {
    throw new FormatError(`${name} does not list the files of a repository; check the address`);
  }
  budget.spend('entries', siblings.length, 'the files of the repository');
  return siblings.flatMap((file) => {
    const path: unknown = isRecord(file) ? file['rfilename'] : undefined;
    return typeof path === 'string' ? [path] : [];
  });
}

/** Returns the only model file. Throws ConfigError if there are several, or none. */
function onlyModel(names: readonly string[], address: string): string {
  const endings = [/\.keras$/i, /(^|\/)model\.json$/, /\.(h5|hdf5)$/i];
  const lists = endings.map((ending) => names.filter((name) => ending.test(name)));
  const [only] = lists.find(({ length }) => length > 0) ?? [];
  const several = lists.find(({ length }) => length > 0) ?? [];
  if (only !== undefined && several.length === 1) return only;
  const example = only ?? 'model.keras';
  const found =
    several.length > 0 ? `several: ${several.slice(0, 20).join(', ')}` : 'no model file';
  throw new ConfigError(
    `${address} has ${found}; name the file: ${address.replace(/\/+$/, '')}/${example}`,
  );
}

/** The files of a `.keras` archive, which Keras stores one by one on the hub. */
async function unpackedModel(
  address: string,
  names: readonly string[],
  opening: Opening,
  get: GetFile,
): Promise<OpenFile> {
  return {
    ...(await fileAt(kConfig, get)),
    name: address,
    archive: {
      names,
      async unpack(name) {
        if (!names.includes(name)) return undefined;
        return (await get(name, opening.budget.bytesLeft)).bytes;
      },
    },
  };
}
