// SPDX-License-Identifier: MIT
import { Input, Model, type Tensor, type TraceEntry, tensor } from 'maskflow';
import { type Batch, lengthened } from '../shared/batch.js';
import { chain, linksOf } from '../shared/chain.js';
import type { Example } from '../shared/code.js';
import { compare } from '../shared/compare.js';
import type { Panel } from '../shared/panel.js';
import { keras, program, seeded } from '../shared/program.js';
import type { Settings } from '../shared/settings.js';
import { gap, largestGap, literal, pyLiteral } from '../shared/text.js';
import { type Recipe, type Stage, recipes } from './recipes.js';

/** Columns of padding that are appended to see whether the result minds them. */
const more = 3;

const rulesOf = (settings: Settings) =>
  settings.text('rules') === 'keras-3.16' ? 'keras-3.16' : 'keras-3.15';

export const follow: Panel = {
  id: 'follow',
  runtime: (settings) => ({ maskPropagation: rulesOf(settings) }),
  draw({ settings, batch, own, put, says }) {
    const recipe = recipes[settings.text('model')] ?? (recipes['lstm'] as Recipe);
    const stages = recipe.stages(own);
    const inputs: Tensor = Input({ shape: [null], dtype: 'int32' });
    const outputs = stages.reduce((x, stage) => stage.run(x, inputs), inputs);
    const model = own(new Model({ inputs, outputs }));
    const ids = tensor(batch.ids, { dtype: 'int32' });
    const built = model.predict(ids);
    const longer = tensor(lengthened(batch, more), { dtype: 'int32' });
    const change = largestGap(built.data(), model.predict(longer).data());
    const trace = model.traceMasks(ids);
    const links = linksOf(trace, recipe.remedy);
    const prints = [...roles(trace), String(built)].join('\n');
    const lost = links.some((link) => link.lost);

    put('chain', chain(links));
    put(
      'numbers',
      compare('What the model answers', 'with the same weights', [
        { title: 'mask all the way', values: run(stages, ids, 'kept') },
        { title: 'no mask', values: run(stages, ids, 'stripped') },
        { title: 'this model', values: built.data(), chosen: true },
      ]),
    );
    says(
      lost
        ? `Padding is computed like words: ${more} more columns of it change the answer by up to ${gap(change)}.`
        : `The mask arrives. ${more} more columns of padding change the answer by ${gap(change)}.`,
    );
    return example(batch, recipe, stages, rulesOf(settings), prints);
  },
};

/** The lines that the shown program prints. */
const roles = (trace: TraceEntry[]): string[] =>
  trace
    .filter(({ depth, role }) => depth === 0 && role !== 'none')
    .map(({ className, role }) => `${className} ${role}`);

/** The stages one by one, with the mask put back after each, or taken away after each. */
function run(stages: Stage[], ids: Tensor, mask: 'kept' | 'stripped'): ArrayLike<number> {
  let x = ids;
  let known: Tensor | null = null;
  for (const stage of stages) {
    x = stage.run(x, ids);
    known ??= x.mask;
    const sequence = x.shape.length === 3 && x.shape[1] === ids.shape[1];
    x = x.withMask(mask === 'kept' && sequence ? known : null);
  }
  return x.data();
}

function example(
  batch: Batch,
  recipe: Recipe,
  stages: Stage[],
  rules: string,
  prints: string,
): Example {
  const settings =
    rules === 'keras-3.15' ? seeded : { ...seeded, maskPropagation: 'keras-3.16' as const };
  return {
    js: program(
      `${recipe.js ? `${recipe.js}\n` : ''}const inputs = Input({ shape: [null], dtype: 'int32' });
${stages.map(({ js }) => js).join('\n')}
const model = new Model({ inputs, outputs: x });

const ids = tensor(${literal(batch.ids)}, { dtype: 'int32' });
for (const { className, depth, role } of model.traceMasks(ids)) {
  if (depth === 0 && role !== 'none') console.log(className, role);
}
console.log(String(model.predict(ids)));`,
      settings,
    ),
    keras: keras(`import numpy as np

${recipe.py ? `${recipe.py}\n` : ''}inputs = keras.Input((None,), dtype="int32")
${stages.map(({ py }) => py).join('\n')}
model = keras.Model(inputs, x)

print(model.predict(np.array(${pyLiteral(batch.ids)})))`),
    prints,
  };
}
