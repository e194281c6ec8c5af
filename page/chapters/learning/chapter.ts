// SPDX-License-Identifier: MIT
// The chapter "learning": two models learn brackets, with the mask and without.
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { find } from '../../shared/dom.js';
import { program } from '../../shared/program.js';
import { runButtons, runWhenSeen } from '../../shared/runs.js';
import { count } from '../../shared/text.js';
import { drawAnswers, drawLosses, drawRows, drawWidths, percent } from './figure.js';
import { isGuess, trainedWidth, verdictOf } from './measure.js';
import type { LearningData } from './read.js';

const epochsOf = ({ settings }: Scene) => settings.choice('epochs', '24', '12', '48');

function seedOf({ settings }: Scene): number {
  const seed = settings.integer('seed', 1, 9999);
  if (seed === undefined) throw new Advice('Type a seed: an integer from 1 to 9999.');
  return seed;
}

export const learning: Chapter<LearningData> = {
  id: 'learning',
  engine: 'train',
  waits: true,
  invites: 'Press Train: two models learn here, in a few seconds.',
  timeLimit: 120_000,
  recorded: async () =>
    (await import('../../../tests/fixtures/page/learning_run.json'))
      .default as unknown as LearningData,

  program(scene) {
    const seed = seedOf(scene);
    return program(
      `let state = ${seed};
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const closed = (left, open = 0) => left === 0 ? [] : open === 0 || (open < left && random() < 0.5)
  ? [1, ...closed(left - 1, open + 1)] : [2, ...closed(left - 1, open - 1)]; // 1 is “(”, 2 is “)”
const row = (i, made = closed(2 * Math.ceil(random() * 6))) => { // every second row has a reversed bracket
  if (i % 2) made[Math.floor(random() * made.length)] ^= 3;
  return made;
};
const rows = Array.from({ length: 1400 }, (_, i) => row(i));
const learned = rows.slice(0, 800), known = new Set(learned.map(String));
const held = rows.slice(800).filter((row) => !known.has(String(row))); // rows that neither model sees
const pad = (rows, maxlen) => padSequences(rows, { padding: 'post', maxlen });
const x = pad(learned, ${trainedWidth}), y = tensor(learned.map((_, i) => [1 - (i % 2)]));

const models = [true, false].map((maskZero) => { // with the mask, and without
  const model = new Sequential([layers.embedding({ inputDim: 3, outputDim: 8, maskZero }), layers.gru({ units: 12 }), layers.dense({ units: 1, activation: 'sigmoid' })]);
  model.compile({ optimizer: optimizers.adam({ learningRate: 0.01, clipnorm: 1 }), loss: 'binary_crossentropy' });
  return model;
});
const widths = [0, 12, ${trainedWidth}, 16, 20, 50, 200], curve = []; // 0: each row alone, as long as it is
const answers = (model, width) => tidy(() => width ? [...model.predict(pad(held, width)).data()] : held.map((row) => model.predict([row]).item()));
let says;
for (let epoch = 0; epoch < ${epochsOf(scene)}; epoch++) {
  const fit = async (model) => (await model.fit(x, y, { initialEpoch: epoch, epochs: epoch + 1, seed: ${seed} })).history.loss[0];
  curve.push([await fit(models[0]), await fit(models[1])]);
  says = models.map((model) => widths.map((width) => answers(model, width)));
  show({ held, widths, curve, says });
  if (!(await turn())) break; // Pause, One epoch, Stop
}`,
      { seed },
      'maskflow/train',
    );
  },

  keras(scene) {
    return `import keras
from rows import learned, labels, held  # made like those in JavaScript

keras.utils.set_random_seed(${seedOf(scene)})
x = keras.utils.pad_sequences(learned, padding="post", maxlen=${trainedWidth})
for mask_zero in (True, False):
    model = keras.Sequential([
        keras.layers.Embedding(3, 8, mask_zero=mask_zero),
        keras.layers.GRU(12),
        keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(keras.optimizers.Adam(0.01, clipnorm=1.0), "binary_crossentropy")
    model.fit(x, labels, epochs=${epochsOf(scene)}, verbose=0)
    for maxlen in (12, ${trainedWidth}, 16, 20, 50, 200):
        print(mask_zero, maxlen, model.predict(keras.utils.pad_sequences(held, padding="post", maxlen=maxlen)))
`;
  },

  start(scene) {
    runButtons(scene);
    runWhenSeen(scene);
    find('[data-other]', scene.section).addEventListener('click', () => {
      scene.set({ seed: String(((scene.settings.integer('seed', 1, 9999) ?? 0) % 9999) + 1) });
      void scene.run();
    });
  },

  shown(value, scene) {
    const data = value as LearningData;
    drawAll(data, scene);
    return describe(data);
  },
  draw: drawAll,
  summarize: describe,
};

function describe(data: LearningData): string {
  const [mask, bare] = [verdictOf(data, 0), verdictOf(data, 1)];
  const after = `After ${count(data.curve.length, 'epoch')}, on ${count(data.held.length, 'row')} that neither model saw`;
  const guess = isGuess(bare.alone) ? ', which is guessing' : '';
  const rest =
    bare.trained - bare.worst > 0.1
      ? ' Without a mask, the model learned from the padding as well.'
      : '';
  return `${after}: padded to ${trainedWidth} as in training, ${percent(mask.trained)} right with the mask and ${percent(bare.trained)} without; alone and not padded, ${percent(mask.alone)} and ${percent(bare.alone)}${guess}.${rest}`;
}

function drawAll(data: LearningData, scene: Scene): void {
  scene.put('progress', `Epoch ${data.curve.length} of ${epochsOf(scene)}`);
  drawAnswers(data, scene);
  drawLosses(data, Number(epochsOf(scene)), scene);
  drawWidths(data, scene);
  drawRows(data, scene);
}
