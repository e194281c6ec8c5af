// SPDX-License-Identifier: MIT
// Addresses of models that `save` keeps in the browser.
import { FormatError, MaskflowError, UnsupportedError } from '../../../base/errors.js';
import { checkSize, type Opening } from '../open_file.js';
import { nameIn } from './address.js';
import { indexedDatabase } from './indexeddb.js';
import { opfs } from './opfs.js';
import type { Place } from './place.js';
import { notStored } from './quota.js';

const places: readonly Place[] = [opfs, indexedDatabase];

function placeOf(address: string): Place {
  const place = places.find(({ scheme }) => address.startsWith(scheme)) as Place;
  if (place.isPresent()) return place;
  const [other] = presentPlaces();
  throw new UnsupportedError(
    other
      ? `this engine does not have ${place.scheme}; use '${other.scheme}name'`
      : `${place.scheme} is not available here; it needs a browser and a page from https: or localhost. In Node, use a path`,
  );
}

/** Places that this engine has. */
export const presentPlaces = (): Place[] => places.filter((place) => place.isPresent());

const kTries = 5;

/** Reads bytes again if another tab replaced or removed them meanwhile. */
async function readAgain(place: Place, name: string, check: (size: number) => void) {
  for (let tries = kTries; ; tries--) {
    try {
      return await place.read(name, check);
    } catch (error) {
      const isReplaced = ['NotReadableError', 'NotFoundError'].includes((error as Error).name);
      if (!isReplaced || tries <= 1) throw error;
    }
  }
}

/** Returns the bytes of a stored model. Throws FormatError without one of that name. */
export async function readPlaced(address: string, opening: Opening): Promise<Uint8Array> {
  const name = nameIn(address);
  const place = placeOf(address);
  const check = (size: number): void => checkSize(size, address, opening);
  const bytes = await readAgain(place, name, check).catch((error: Error) => {
    if (error instanceof MaskflowError) throw error;
    throw new FormatError(`${address} cannot be read: ${error.message}`);
  });
  if (bytes) return bytes;
  const names = (await place.list().catch(() => [])).map((model) => model.name);
  throw new FormatError(
    `there is no model at ${address}; stored there: ${names.slice(0, 20).join(', ') || 'nothing'}. Browsers may delete stored data when space is low; navigator.storage.persist() asks them not to`,
  );
}

/** Stores bytes under an address. Throws StateError if there is no room. */
export async function writePlaced(address: string, bytes: Uint8Array): Promise<void> {
  const name = nameIn(address);
  const place = placeOf(address);
  try {
    await place.write(name, bytes);
  } catch (error) {
    throw error instanceof UnsupportedError ? error : await notStored(address, bytes.length, error);
  }
}

/** Removes a stored model; returns whether there was one. */
export const removePlaced = async (address: string): Promise<boolean> =>
  placeOf(address).remove(nameIn(address));
