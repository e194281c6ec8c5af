// SPDX-License-Identifier: MIT
// A built model as text for an address: 'e.p.ls' is Embedding, + 1 and an LSTM that returns
// sequences. The first letter names the layer (see shelf.ts), further letters are its settings.
// Unreadable parts are ignored.
import type { Chosen, Item, ItemCode } from './item.js';
import { shelf } from './shelf.js';

/** A layer of the built model. */
export interface Card {
  item: Item;
  settings: Chosen;
}

/** Largest number of layers in a figure. */
export const maxCards = 10;

export function readModel(text: string): Card[] {
  const cards = text.split('.').flatMap((token) => readCard(token.trim()));
  return cards.slice(0, maxCards);
}

function readCard(token: string): Card[] {
  const item = shelf.find(({ code }) => code === token[0]);
  if (!item) return [];
  const rest = token.slice(1);
  const chosen = Object.entries(item.settings ?? {}).map(([key, { choices }]) => {
    const choice = choices.find(({ mark }) => mark !== '' && rest.includes(mark));
    return [key, (choice ?? choices[0]).value] as const;
  });
  return [{ item, settings: Object.fromEntries(chosen) }];
}

export const writeModel = (cards: readonly Card[]): string => cards.map(writeCard).join('.');

function writeCard({ item, settings }: Card): string {
  const marks = Object.entries(item.settings ?? {}).map(
    ([key, { choices }]) => choices.find(({ value }) => value === settings[key])?.mark ?? '',
  );
  return item.code + marks.join('');
}

/** Returns a card for a layer of the shelf, with default settings unless `marks` sets others. */
export const newCard = (code: ItemCode, marks = ''): Card => readModel(code + marks)[0] as Card;

/** Returns the title of a card. */
export const titleOf = ({ item, settings }: Card): string =>
  item.classNameFor?.(settings) ?? item.name;
