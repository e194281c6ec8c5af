// SPDX-License-Identifier: MIT
// Parts of a program without a partner in JavaScript.

/** Thrown inside the translation of a statement that has no partner; the statement catches it. */
export class Absent extends Error {
  constructor(
    readonly kind: string,
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/** Returns the error of what uses the value of a statement that is a comment. */
export const withoutValue = (name: string, at: number): Absent =>
  new Absent('depends', at, `${name} has no value here, because its statement is not translated`);

export const python2 = 'this is Python 2, taken for Python 3, in which 1 / 2 is 0.5';

const advice: readonly (readonly [RegExp, string])[] = [
  [/^(matplotlib|seaborn|plotly|bokeh)\b/, 'a figure; see maskflow/draw, or print the numbers'],
  [/^pandas\b/, 'a table; read it with readCsv of maskflow/train'],
  [
    /^(tensorflow|keras)\.(data|datasets)\b|^datasets\b|^tensorflow_datasets\b/,
    'a data set; pass arrays, or an iterable of batches, to fit()',
  ],
  [/^keras\.applications\b/, 'a model for images; maskflow has layers for sequences'],
  [/^keras\.utils\.(plot_model|model_to_dot)/, 'a figure; use drawModel of maskflow/draw'],
  [/^keras\.layers\.\w+[23]D$/, 'a layer for images or volumes; maskflow has those for sequences'],
  [
    /^(torch|jax|transformers|nltk|spacy|cv2|PIL|gym|gymnasium|scipy|requests|tqdm|wandb|mlflow)\b/,
    'another package; write this part in JavaScript',
  ],
  [
    /^(os|sys|glob|shutil|subprocess|pickle|csv|argparse|pathlib|json|urllib|zipfile)\b/,
    'files or the system; write this part in JavaScript',
  ],
];

/** Says what to write in place of a name without a partner. */
export function adviceFor(path: string): string {
  const [, text] = advice.find(([pattern]) => pattern.test(path)) ?? [];
  return text ?? 'write this part in JavaScript';
}
