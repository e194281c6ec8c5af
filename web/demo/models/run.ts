// SPDX-License-Identifier: MIT
import { type Model, type Tensor, tensor } from 'maskflow';
import { largestGap } from '../shared/text.js';
import type { Answer, Asked, Recorded, Task } from './task.js';

const batchOf = (rows: Asked['row'][], dtype: Asked['dtype']): Tensor => tensor(rows, { dtype });

/** What a trained model answers to one row. */
export function answer(model: Model, task: Task, row: Asked['row'], { dtype }: Asked): Answer {
  const output = model.predict(batchOf([row], dtype)) as Tensor;
  return task.read([...output.data()].map(Number));
}

/** The same weights, layer by layer, with every mask taken away. */
export function unmasked(model: Model, task: Task, { row, dtype }: Asked): Answer {
  let x = batchOf([row], dtype);
  for (const name of task.path) x = model.getLayer(name).apply<Tensor>(x).withMask(null);
  return task.read([...x.data()].map(Number));
}

export interface Replayed {
  recorded: Recorded;
  here: Answer;
  difference: number;
}

/** All that Python recorded, once more here. */
export function replay(model: Model, task: Task, records: Recorded[]): Replayed[] {
  return records.map((recorded) => {
    const asked = task.ask(recorded.text, 0);
    const here = answer(model, task, asked.row, asked);
    return { recorded, here, difference: largestGap(here.numbers, recorded.numbers) };
  });
}
