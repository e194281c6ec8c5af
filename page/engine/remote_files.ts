// SPDX-License-Identifier: MIT
// The files of the page, as its workers read them: they reach no network, so they ask the page.
import { Advice } from '../shared/advice.js';
import { importBlob } from './import_blob.js';
import { chunks, models } from './names.js';
import type { FileSent, Setup, Wanted } from './protocol.js';

type Bytes = Uint8Array<ArrayBuffer>;

export class RemoteFiles {
  private readonly place: Promise<Setup>;
  /** Receives the first message of the page. Files that were asked for earlier wait for it. */
  setUp: (place: Setup) => void = () => {};
  private readonly pending = new Map<number, (sent: FileSent) => void>();
  private lastId = 0;

  /** `own` are files that came with the script of the worker, by name. */
  constructor(
    private readonly ask: (message: Wanted) => void,
    private readonly own: { [name: string]: Uint8Array },
  ) {
    this.place = new Promise((resolve) => {
      this.setUp = resolve;
    });
  }

  receive(sent: FileSent): void {
    this.pending.get(sent.id)?.(sent);
    this.pending.delete(sent.id);
  }

  /** Reads a file for a program, which names it by an address relative to the page. */
  async read(address: string): Promise<Bytes> {
    const { base, top } = await this.place;
    const { href } = new URL(address, base);
    const name = models.find((model) => href === new URL(model, top).href);
    if (name === undefined) throw Object.assign(new Advice(refusal(href)), { code: 'NO_FILE' });
    return this.bytesOf(name);
  }

  /** Imports a chunk of the package. */
  async importChunk(path: string): Promise<unknown> {
    const name = chunks.find((chunk) => chunk.endsWith(path.replace(/^\./, '')));
    if (name === undefined) throw new Error(`this page has no chunk ${path}`);
    const script = new Blob([await this.bytesOf(name)], { type: 'text/javascript' });
    return importBlob(script);
  }

  private async bytesOf(name: string): Promise<Bytes> {
    const own = this.own[name];
    if (own) return own.slice();
    await this.place;
    const id = ++this.lastId;
    const sent = await new Promise<FileSent>((resolve) => {
      this.pending.set(id, resolve);
      this.ask({ kind: 'wanted', id, name });
    });
    if (!sent.bytes) throw new TypeError(sent.problem);
    return sent.bytes as Bytes;
  }
}

const refusal = (address: string): string =>
  `Programs on this page reach no network and no files, so ${address.slice(0, 200)} cannot be read. They can load the models of this page: ${models
    .filter((name) => name.endsWith('.keras'))
    .join(', ')}. Run the program in a project of your own to load other files.`;
