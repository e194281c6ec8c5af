// SPDX-License-Identifier: MIT
import type { Panel, Scene } from '../shared/panel.js';
import type { Example } from '../shared/code.js';
import { customEmbedding } from './custom-embedding.js';
import { myActivation } from './my-activation.js';
import { temporalSoftmax } from './temporal-softmax.js';

const layers: { [name: string]: (scene: Scene) => Example } = {
  embedding: customEmbedding,
  activation: myActivation,
  softmax: temporalSoftmax,
};

export const custom: Panel = {
  id: 'custom',
  // The warning is part of the lesson.
  runtime: () => ({ onMaskDropped: 'warn' }),
  draw(scene) {
    const chosen = scene.settings.text('layer');
    for (const controls of document.querySelectorAll<HTMLElement>('#custom [data-for]')) {
      controls.hidden = controls.dataset['for'] !== chosen;
    }
    const draw = layers[chosen] ?? customEmbedding;
    return draw(scene);
  },
};
