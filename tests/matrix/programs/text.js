// SPDX-License-Identifier: MIT
// The entry maskflow/text: it shares its state with the main entry.
export const wanted = [2, 3, 1, 0, 4, 0, 0, 0];

export async function run({ mf, text }, { ready }) {
  await mf.ready(ready);
  const vocabulary = ['a', 'good', 'bad'];
  const words = new text.TextVectorization({ vocabulary, outputSequenceLength: 4 });
  return words.apply(['A good thing!', 'bad']).array().flat();
}
