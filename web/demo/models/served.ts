// SPDX-License-Identifier: MIT
import type { ModelSource } from 'maskflow';

export const names = ['brackets', 'sensor', 'adding'] as const;
export type StockName = (typeof names)[number];

/** Where the page finds a trained model; the package fetches it. */
export const stockModel = async (name: StockName): Promise<ModelSource> => `models/${name}.keras`;

/** What Python recorded of it. */
export async function stockNotes(name: StockName): Promise<unknown> {
  const answer = await fetch(`models/${name}.json`);
  if (!answer.ok) throw new Error(`models/${name}.json: the server answers ${answer.status}`);
  return answer.json();
}
