// SPDX-License-Identifier: MIT
// A program that the shelf cannot express. It defines `results`, tensors by title, and `models`,
// [model, input] by title.
import { program } from '../../shared/program.js';

export interface Recipe {
  js: string;
  py: string;
}

/** Program text of weights that follow a formula, so that Keras has the same. */
export const sines = {
  js: `const sines = (weights) => weights.map((w, k) => w.data().map((_, i) => Math.sin(i * (k + 1)) / 2));`,
  py: `def sines(weights):
    return [(np.sin(np.arange(w.size) * (k + 1)) / 2).reshape(w.shape) for k, w in enumerate(weights)]
`,
};

export const recipeJs = ({ js }: Recipe, rules: string): string =>
  program(
    `${js}\nfor (const [title, y] of Object.entries(results)) console.log(title, String(y));`,
    { maskPropagation: rules },
  );

export const recipePy = ({ py }: Recipe): string =>
  `import keras\nimport numpy as np\n\n${py}\nfor title, y in results.items():\n    print(title, y, getattr(y, "_keras_mask", None))\n`;
