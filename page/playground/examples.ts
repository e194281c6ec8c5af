// SPDX-License-Identifier: MIT
// The examples of the playground. Their files are programs of their own, which tests run.
import layer from './examples/layer.example.js';
import padding from './examples/padding.example.js';
import stream from './examples/stream.example.js';
import text from './examples/text.example.js';
import trace from './examples/trace.example.js';
import train from './examples/train.example.js';
import trained from './examples/trained.example.js';
import worker from './examples/worker.example.js';
import { pythonExample } from './python.js';

const files: readonly (readonly [title: string, text: string])[] = [
  ['Padding, and an answer that stays', padding],
  ['Where the mask goes', trace],
  ['A model that Keras trained', trained],
  ['A layer of your own', layer],
  ['Training', train],
  ['Text', text],
  ['Step by step', stream],
  ['In a worker', worker],
  ['Keras code in Python', pythonExample],
];

/** Title and text of each example; the playground opens with the first. */
export const examples = files.map(([title, file]) => ({
  title,
  text: file.replace(/^\/\/ SPDX.*\n/, ''),
}));
