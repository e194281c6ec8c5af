// SPDX-License-Identifier: MIT
// The entry maskflow/tags: the best tags and their score, beside the main entry.
export const wanted = [0, 1, 1, 0, 6.5];

export async function run({ mf, tags: { crfDecode, entitySpans } }, { ready }) {
  await mf.ready(ready);
  const potentials = mf.tensor([
    [
      [2, 1],
      [0, 2],
      [1, 1],
      [9, 9],
    ],
  ]);
  const mask = [[true, true, true, false]];
  const transitions = [
    [0, 0.5],
    [0, 1],
  ];
  const { tags, score } = crfDecode(potentials, mf.tensor(transitions), { mask });
  const spans = entitySpans(tags, { names: ['O', 'B-PER'], mask });
  if (spans[0].length !== 2) throw new Error(`entitySpans returns ${JSON.stringify(spans)}`);
  return [...tags.array()[0], ...score.array()];
}
