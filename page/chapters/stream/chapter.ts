// SPDX-License-Identifier: MIT
// The chapter "stream": a model answers after each step that the visitor adds.
import type { Chapter } from '../../shared/chapter.js';
import { program } from '../../shared/program.js';
import { count, decimal, gap, probability } from '../../shared/text.js';
import { listen } from './controls.js';
import { drawChart, drawLatency, drawState, drawSteps, median, type Now } from './figure.js';
import { alphabet, inputsOf, last as lastStep, modelOf, probesOf, savedAt } from './inputs.js';
import type { Followed, Input, StreamData } from './read.js';

/** The inputs and answers on view. */
let now: Now | undefined;

const around = (file: string, step: string, example: string) =>
  program(
    `const model = await loadModel('models/${file}.keras');
const stream = model.stream(); // keeps the states of the layers
const out = new Float32Array(1);
${step}
const save = () => JSON.stringify(stream.state); // for a file, a database, another machine
const restore = (json) => Object.assign(model.stream(), { state: JSON.parse(json) });
${example}
stream.reset(); // the figure starts with the first step`,
    {},
  );

const programs = {
  prefixes: () =>
    around(
      'prefixes',
      `const step = (to, bracket) => to.step(Int32Array.of('${alphabet}'.indexOf(bracket)), { out })[0];`,
      `for (const bracket of '([])') console.log(bracket, step(stream, bracket));`,
    ),
  sensor: () =>
    around(
      'sensor',
      `const features = (reading, t) => (reading === null ? [-1, -1] : [reading, (${lastStep} - t) / 48]); // -1, -1: masked
const step = (to, reading, t) => to.step(Float32Array.from(features(reading, t)), { out })[0];`,
      `for (const [t, reading] of [0.3, null, 0.5].entries()) console.log(reading, step(stream, reading, t));`,
    ),
  brackets: () =>
    program(
      `const model = await loadModel('models/brackets.keras');
let why;
try {
  model.stream();
} catch (error) {
  why = error.message;
}
console.log(why);`,
      {},
    ),
};

export const stream: Chapter<StreamData> = {
  id: 'stream',

  program({ settings }) {
    const model = modelOf(settings);
    if (model !== 'brackets') inputsOf(settings);
    return programs[model]();
  },

  start: (scene) => listen(scene),

  async draw({ why }, scene) {
    const { settings, section } = scene;
    const model = modelOf(settings);
    section.dataset['model'] = model;
    now = undefined;
    if (why !== null) {
      for (const slot of ['steps', 'chart', 'state', 'latency']) scene.put(slot);
      return;
    }
    const inputs = inputsOf(settings);
    const at = savedAt(settings, inputs.length);
    const followed = await scene.call<Followed>('follow', inputs, at, probesOf(model));
    // A newer step arrived meanwhile.
    if (settings !== scene.settings) return;
    now = { inputs, followed };
    drawSteps(now, scene);
    drawChart(now, scene);
    drawState(now, scene);
    drawLatency(now, scene);
  },

  summarize({ why }, { settings }) {
    if (why !== null)
      return `The model of chapter 0 reads each row in both directions, so it cannot answer before the last step. The error of the package: “${why}”`;
    if (!now) return '';
    const { inputs, followed } = now;
    const { saved, times } = followed;
    const speed =
      times.length > 0
        ? ` A step took ${median(times).toFixed(1)} µs (median of ${times.length}).`
        : '';
    const second = saved
      ? ` The second stream, restored from the state after ${count(saved.at, 'step')}, answers with a largest difference of ${gap(saved.gap)}.`
      : '';
    return answer(modelOf(settings) === 'sensor', inputs, followed.answers) + speed + second;
  },
};

function answer(sensor: boolean, inputs: Input[], answers: number[]): string {
  const last = answers.at(-1);
  if (last === undefined) return sensor ? 'Add a first reading.' : 'Type a bracket: ( ) [ ] { }';
  const after = `After ${count(inputs.length, 'step')}`;
  if (!sensor)
    return `${after} the model says ${last > 0.5 ? '“all closed”' : '“not all closed”'} (${probability(last)}).`;
  const before = answers.at(-2);
  const still =
    inputs.at(-1) === null && before !== undefined
      ? ` The last step was missing and masked: it changed the answer by ${gap(Math.abs(last - before))}.`
      : '';
  return `${after} the model expects ${decimal(last, 2)} at step ${lastStep}.${still}`;
}
