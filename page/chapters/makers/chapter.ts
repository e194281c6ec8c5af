// SPDX-License-Identifier: MIT
// The chapter "makers": the ways in which a mask begins, by an Embedding, by Masking or by hand.
import { places, wordsInCells } from '../../shared/batch.js';
import type { Chapter, Scene } from '../../shared/chapter.js';
import { find, h, keepFocus, rich } from '../../shared/dom.js';
import { maskGrid } from '../../shared/grid.js';
import { cellsOf, has } from '../../shared/holes.js';
import { linksOf } from '../../shared/linked.js';
import { PaintGrid } from '../../shared/paint.js';
import { painter } from '../../shared/painter.js';
import { drive } from '../../shared/settings.js';
import { integer } from '../../shared/text.js';
import { withFeature } from './features.js';
import { ledger } from './ledger.js';
import { kerasOf, maskValueOf, programOf, typedIn } from './programs.js';
import type { Embedded, MakersData, Masked } from './read.js';
import { summary } from './sentences.js';

let grids: PaintGrid | undefined;

export const makers: Chapter<MakersData> = {
  id: 'makers',
  usesBatch: true,
  program: programOf,
  keras: kerasOf,
  kerasNote:
    'Masks and outputs are the same in Keras. There you attach a mask by passing it to the layer that uses it.',

  draw(data, scene) {
    const hand = data.maker === 'hand';
    scene.slot('paint').hidden = !hand;
    keepFocus(scene.slot('figure'), () => {
      if (data.maker === 'masking') drawMasking(data, scene);
      else drawEmbedded(data, scene);
    });
    if (hand) drawPaint(data, scene);
    const note = data.maker === 'masking' ? typedIn(scene.settings).note : '';
    scene.put('note', ...(rich(note) as (Node | string)[]));
  },

  summarize: (data, { settings, batch }) => summary(data, Number(maskValueOf(settings)), batch),

  start(scene) {
    grids = new PaintGrid(
      scene.slot('paint'),
      painter(scene, { caption: 'ids', detail: 'paint the mask', control: () => 'holes' }),
    );
  },
};

function drawEmbedded({ maker, mask }: Embedded, { batch, put }: Scene): void {
  const options = { heads: true, links: linksOf(places(batch)) };
  const name = maker === 'hand' ? 'y.mask' : 'x.mask, a layer over the batch';
  put('figure', h('div', { class: 'layer' }, maskGrid(mask, name, options)));
}

function drawMasking(data: Masked, scene: Scene): void {
  const maskValue = Number(maskValueOf(scene.settings));
  const press = (row: number, step: number, feature: number) => {
    const same = data.x[row]?.[step]?.[feature] === maskValue;
    const name = `row${row}`;
    const value = same ? '1' : String(maskValue);
    const text = withFeature(scene.settings.text(name), step, feature, value);
    drive(find<HTMLFormElement>('form', scene.section), name, text);
  };
  const links = data.mask.map((row, b) => row.map((_, t) => `m${b}t${t}`));
  scene.put(
    'figure',
    ledger(data, { maskValue, press }),
    h('div', {}, maskGrid(data.mask, 'mask', { heads: true, links })),
  );
}

function drawPaint({ ids, mask }: Embedded, { batch, settings }: Scene): void {
  const wordPlaces = places(batch);
  const links = linksOf(wordPlaces);
  const words = wordsInCells(batch);
  const painted = cellsOf(settings.text('holes'), wordPlaces);
  grids?.draw(
    ids.map((row, b) =>
      row.map((id, t) => {
        const masked = mask?.[b]?.[t] === false;
        const word = words[b]?.[t] || 'padding';
        const byHand = has(painted, b, t);
        return {
          word,
          text: integer(id),
          masked,
          link: links[b]?.[t] ?? '',
          classes: byHand ? 'painted' : '',
          state: `${masked ? 'masked' : 'kept'}${byHand ? ', painted' : ''}`,
        };
      }),
    ),
  );
}
