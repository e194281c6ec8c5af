// SPDX-License-Identifier: MIT
// Python in the playground: it is recognised and translated; the JavaScript is beside the output.
import type { Ported } from 'maskflow/port';
import { programOf } from '../engine/port_protocol.js';
import { find, h } from '../shared/dom.js';
import { highlight } from '../shared/highlight.js';
import { sentence } from '../shared/text.js';
import { isNotebook, translate } from '../shared/translator.js';
import type { Pad } from './pad.js';

/** Statements that hardly any JavaScript program contains. */
const statement =
  /^(?:from[ \t]+[\w.]+[ \t]+import[ \t]|import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*\w+)*[ \t]*(?:#.*)?$|(?:def|class|for|while|if|with)\b.*:[ \t]*(?:#.*)?$|print\()/m;
/** Statements that no Python program contains. */
const otherStatement = /^(?:import\b.*['"];?[ \t]*$|(?:const|let|var|function)\b)/m;

/** Whether a text is a Python program or a notebook. */
export const isPython = (text: string): boolean =>
  isNotebook(text) || (statement.test(text) && !otherStatement.test(text));

/** Why a text has no translation. */
export class NotPython extends Error {
  constructor(
    message: string,
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

/** Translates the text of the pad. Throws `NotPython` with the line of the mistake. */
export async function translated(pad: Pad): Promise<Ported> {
  const text = pad.text();
  const result = await translate(text);
  // The lines of a notebook are those of its cells, one after the other.
  const program = programOf(result);
  if (isNotebook(text) && program !== undefined && pad.text() === text) pad.set(program);
  if (result.kind === 'ported') return result.ported;
  throw new NotPython(sentence(result.message), result.line);
}

/** Shows the translation and its notes; without one, hides them. */
export function showTranslation(ported: Ported | undefined, pad: Pad): void {
  const place = find<HTMLDetailsElement>('[data-translation]');
  place.hidden = !ported;
  if (!ported) return;
  const { code, notes } = ported;
  const edit = h('button', { type: 'button' }, 'Go on in JavaScript');
  edit.addEventListener('click', () => {
    pad.set(code);
    showTranslation(undefined, pad);
  });
  const listed = notes.map(({ line, kind, text }) =>
    h('li', {}, h('strong', {}, `${kind}, line ${line}`), `: ${text}`),
  );
  find('.body', place).replaceChildren(
    ...(listed.length > 0 ? [h('ul', { class: 'notes' }, ...listed)] : []),
    h(
      'pre',
      { tabindex: 0, 'aria-label': 'The program in JavaScript' },
      h('code', {}, ...highlight(code, 'js')),
    ),
    h('p', { class: 'row' }, edit),
  );
}

/** A program of the menu. */
export const pythonExample = `import keras
from keras import layers
from keras.utils import pad_sequences

# Python: it is recognised, translated to JavaScript, and run here.
inputs = keras.Input(shape=(None,), dtype="int32")
x = layers.Embedding(20, 8, mask_zero=True)(inputs)
x = layers.Bidirectional(layers.GRU(4))(x)
model = keras.Model(inputs, layers.Dense(1)(x))

short = pad_sequences([[3, 1, 4]], padding="post")
long = pad_sequences([[3, 1, 4]], maxlen=50, padding="post")
print(model.predict(short).shape, model.predict(long).shape)
difference = abs(model.predict(short) - model.predict(long)).max()
print(f"47 zeros change the answer by {difference}")
`;
