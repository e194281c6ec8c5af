// SPDX-License-Identifier: MIT
// A plugin of the bundler that puts small modules into more than one chunk.
import { readFileSync } from 'node:fs';
import { at } from '../lib/files.mjs';

/**
 * Modules without state that a second file contains, too: pairs of the file that imports one, and
 * the module. Otherwise, the table of chunks would be one more file of each page that trains, and
 * pages with texts would fetch the readers of models.
 */
const copied = [
  ['worker/trainer.ts', 'engine/train_chunks.gen.ts'],
  ['text/split_model.ts', 'formats/member_names.ts'],
  ['text/text_front.ts', 'formats/member_names.ts'],
  ['formats/member_names.ts?copy', 'formats/keras_order.ts'],
];

export const copies = {
  name: 'copies',
  resolveId(id, importer) {
    const name = id.replace(/^.*\/(.*)\.js$/, '/$1.ts');
    const pair = copied.find(([from, to]) => importer?.endsWith(`/${from}`) && to.endsWith(name));
    return pair ? `${at('web', 'src', pair[1])}?copy` : null;
  },
  load(id) {
    const [path, mark] = id.split('?');
    return mark === 'copy' ? { code: readFileSync(path, 'utf8'), moduleType: 'ts' } : null;
  },
};
