// SPDX-License-Identifier: MIT
import { type Tensor, layers, tensor } from 'maskflow';
import { wordAt } from '../shared/batch.js';
import { find } from '../shared/dom.js';
import type { Panel, Scene } from '../shared/panel.js';
import type { Own } from '../shared/scope.js';
import { count, gap, largestGap } from '../shared/text.js';
import { vocabularySize } from '../shared/vocabulary.js';
import { spread } from './recipes.js';
import { type Options, example } from './states-example.js';
import { numbersTable, timeline } from './timeline.js';

const units = 4;

export const states: Panel = {
  id: 'states',
  draw(scene) {
    const { settings, batch, put, says } = scene;
    const row = chosenRow(scene);
    const more = settings.number('more') ?? 0;
    const ids = [...(batch.ids[row] ?? []), ...Array<number>(more).fill(0)];
    const flips = new Set(settings.text('flips').split(',').filter(Boolean).map(Number));
    const mask = ids.map((id, t) => (id !== 0) !== flips.has(t));
    const options: Options = {
      returnSequences: settings.flag('sequences'),
      goBackwards: settings.flag('backwards'),
      zeroOutputForMask: settings.flag('zero'),
    };
    const run = make(scene.own, options);
    const ran = run(ids, mask);
    const short = ids.length - more;
    const without = run(ids.slice(0, short), mask.slice(0, short));
    const words = ids.map((_, t) => (t < short && wordAt(batch, row, t)) || 'padding');
    // In the order in which the layer reads: position k of the output belongs to this step of the row.
    const order = ids.map((_, k) => (options.goBackwards ? ids.length - 1 - k : k));
    const picture = {
      words,
      mask,
      order,
      outputs: ran.outputs,
      onlyLast: !options.returnSequences,
    };
    find('[data-slot="more"]').textContent = String(more);
    put('hint', ...hint(options));
    timeline(scene.slot('timeline'), scene.slot('readout'), picture, (step) => {
      const field = find<HTMLInputElement>('#states [name="flips"]');
      const next = new Set(flips);
      if (!next.delete(step)) next.add(step);
      field.value = [...next].sort((a, b) => a - b).join(',');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    put('table', numbersTable(picture, ran.state));
    says(summary(mask, more, largestGap(ran.state, without.state)));
    return example(ids, mask, options, ran.printed);
  },
};

function chosenRow({ settings, batch, slot }: Scene): number {
  [...slot('rows').children].forEach((label, index) => {
    (label as HTMLElement).hidden = index >= batch.ids.length;
  });
  return Math.min(Number(settings.text('row')), batch.ids.length - 1);
}

/** Both runs of a drawing, with and without appended padding, have the same weights. */
function make(own: Own, options: Options) {
  const embedding = own(
    layers.embedding({ inputDim: vocabularySize, outputDim: 8, embeddingsInitializer: spread }),
  );
  const lstm = own(layers.lstm({ units, ...options, returnSequences: true, returnState: true }));
  return (ids: number[], mask: boolean[]) => {
    const x = embedding.apply(tensor([ids], { dtype: 'int32' }));
    const [y, h] = lstm.apply(x, { mask: [mask] }) as unknown as [Tensor, Tensor];
    const outputs = (y.array() as number[][][])[0] ?? [];
    const last = tensor([outputs.at(-1) ?? []]);
    return { outputs, state: h.data(), printed: String(options.returnSequences ? y : last) };
  };
}

function hint({ returnSequences, goBackwards, zeroOutputForMask }: Options): string[] {
  const parts = [
    returnSequences ? '' : 'Only the last output leaves the layer; the way there is drawn faintly.',
    goBackwards
      ? 'The row is read from its end. The outputs come in reading order and are not turned back, but the mask that is passed on keeps the order of the row.'
      : '',
    zeroOutputForMask ? 'Masked steps put out 0; the state behind them is held all the same.' : '',
  ];
  return [parts.filter(Boolean).join(' ')];
}

function summary(mask: boolean[], more: number, change: number): string {
  const away = mask.filter((keep) => !keep).length;
  const held = `${count(mask.length - away, 'step')} computed, ${away} held.`;
  if (more === 0) return `${held} Append padding to see that it changes nothing.`;
  return `${held} The final state is ${change === 0 ? `the same, to the last bit, as without the ${count(more, 'step')} appended` : `changed by up to ${gap(change)} by the ${count(more, 'step')} appended`}.`;
}
