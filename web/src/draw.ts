// SPDX-License-Identifier: MIT
/**
 * Figures of models, masks and trainings as SVG text, without a DOM: for pages, notebooks and
 * files. They follow the colours of the system and of the page, screen readers read them, and names
 * remain text whatever they contain.
 *
 * @module maskflow/draw
 */
export { drawModel } from './draw/model.js';
export type { DrawableLayer, DrawableModel } from './draw/graph.js';
export type { FigureOptions } from './draw/options.js';
export { drawMask } from './draw/mask.js';
export { drawHistory } from './draw/history.js';
export type { DrawableHistory } from './draw/history.js';
export { drawAttention } from './draw/attention.js';
export type { AttentionOptions } from './draw/attention.js';
export { drawPadding } from './draw/padding.js';
export type { PaddedModel, PaddingOptions } from './draw/padding.js';
export { drawTrace } from './draw/trace.js';
export type { Drawable, DrawableTensor, Values } from './draw/values.js';
