// SPDX-License-Identifier: MIT
// Models as records of a database of the browser.
import type { Place, PlacedModel } from './place.js';
import { isFull } from './quota.js';

const kDatabase = 'maskflow';
const kStore = 'models';

/**
 * A record. Browsers keep a Blob outside the record, so a list does not read it. In private windows
 * of Safari, records cannot have Blobs.
 */
interface Stored {
  readonly data: Blob | Uint8Array<ArrayBuffer>;
  readonly saved: Date;
}

const sizeOf = ({ data }: Stored): number => (data instanceof Blob ? data.size : data.length);

/** Waits for a request. */
const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(kDatabase, 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(kStore);
  const database = await resultOf(request);
  // Without it, another tab could never change or delete the database.
  database.onversionchange = () => database.close();
  return database;
}

/** Runs in a transaction and waits for its end, at which a quota may be exceeded. */
async function within<T>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(kStore, mode);
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [result] = await Promise.all([run(transaction.objectStore(kStore)), ended]);
    return result;
  } finally {
    database.close();
  }
}

export const indexedDatabase: Place = {
  scheme: 'indexeddb://',
  isPresent: () => typeof indexedDB !== 'undefined',
  async read(name, check) {
    const stored = await within('readonly', (store) =>
      resultOf(store.get(name) as IDBRequest<Stored | undefined>),
    );
    if (!stored) return undefined;
    check(sizeOf(stored));
    const { data } = stored;
    return data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data;
  },
  async write(name, bytes) {
    const put = (data: Stored['data']): Promise<unknown> => {
      const record: Stored = { data, saved: new Date() };
      return within('readwrite', (store) => resultOf(store.put(record, name)));
    };
    const data = bytes as Uint8Array<ArrayBuffer>;
    await put(new Blob([data])).catch((error: unknown) => {
      if (isFull(error)) throw error;
      // A view would be stored with its whole buffer.
      return put(data.length === data.buffer.byteLength ? data : data.slice());
    });
  },
  list: () =>
    within('readonly', async (store) => {
      const [names, models] = await Promise.all([
        resultOf(store.getAllKeys()),
        resultOf(store.getAll() as IDBRequest<Stored[]>),
      ]);
      return names.map((name, i): PlacedModel => {
        const model = models[i] as Stored;
        return { name: String(name), bytes: sizeOf(model), saved: model.saved };
      });
    }),
  remove: (name) =>
    within('readwrite', async (store) => {
      const count = await resultOf(store.count(name));
      await resultOf(store.delete(name));
      return count > 0;
    }),
};
