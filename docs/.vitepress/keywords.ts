// SPDX-License-Identifier: MIT
// Words by which people look for a page or a section, but which it does not contain.

const keywords: { readonly [place: string]: string } = {
  'alternatives.md': 'GPU, CUDA, WebGPU, WebGL, ONNX',
  'command.md': 'terminal, CLI, npx, check a model against Python',
  'errors.md': 'exception, troubleshooting, crash',
  'faq.md': 'license, help',
  'faq.md#how-large-is-it': 'big, size, kilobytes, megabytes, download, tree shaking',
  'faq.md#is-it-fast': 'slow, speed, time of a prediction, mobile, phone',
  'faq.md#how-do-i-predict-one-row': 'single sample, one prediction, batch of one',
  'faq.md#how-do-i-use-several-inputs-or-outputs': 'multiple inputs, multi-input, multi-output',
  'faq.md#why-is-an-output-nan': 'infinity, not a number',
  'faq.md#why-do-two-runs-differ': 'reproducible, deterministic, set_random_seed',
  'faq.md#which-browsers-run-it': 'iPhone, iOS, Android, mobile, Edge, supported versions, caniuse',
  'from-keras.md': 'Python, TensorFlow, differences, transfer learning',
  'guides/custom-layers.md': 'custom cell, subclass, own layer',
  'guides/custom-layers.md#functions-as-settings': 'custom activation, own initializer',
  'guides/debugging-masks.md': 'lost mask, mask dropped, warning',
  'guides/drawing.md': 'embed a figure, plot, picture, visualize, SVG',
  'guides/int8.md': 'quantize, quantization, smaller weights',
  'guides/keras-tokenizer.md': 'Tokenizer, word index, pickle',
  'guides/masks.md': 'mask_zero, what is a mask, make a mask, create a mask, attention mask',
  'guides/measures.md': 'ignore padding in the loss, metrics, accuracy',
  'guides/offline.md': 'CSP, PWA, service worker, cache',
  'guides/padding.md': 'variable length, different lengths, ragged, pad_sequences, truncate',
  'guides/port.md': 'convert Python code, Jupyter, ipynb, transpile, paste Keras code',
  'guides/scale.md': 'server, throughput, large data, many rows, batch size',
  'guides/start.md':
    'getting started, tutorial, bundle size, kilobytes, install, first prediction, predict one row',
  'guides/streaming.md': 'live data, real time, step by step, sensor, stateful',
  'guides/tags.md': 'CRF, Viterbi, named entities, NER, part of speech, BIO, seqeval, entity F1',
  'guides/text.md': 'words, vocabulary, text classification',
  'guides/threads.md': 'SharedArrayBuffer, COOP, COEP, multithreading, cores',
  'guides/workers.md': 'web worker, worker pool, background',
  'model-files.md': 'Hugging Face, huggingface, h5 file, load a model, IndexedDB, localStorage',
  'performance.md': 'slow, benchmark, speed',
  'programs.md': 'examples, sequence classification example, sentiment, regression, forecast',
  'recipes.md': 'framework, bundler, example app',
  'recipes.md#next': 'SSR, server-side rendering',
  'recipes.md#nuxt': 'SSR, server-side rendering',
  'training.md':
    'fine-tuning, transfer learning, freeze layers, class weights, imbalanced classes, batch size, epochs, validation split, learning rate, NaN loss',
};

/** Marks the sections that quote messages of errors, for those who paste one. */
const withMarks = (html: string) =>
  html
    .split(/(?=<h2 )/)
    .map((section) => {
      const quotes = /Error: /.test(section);
      return quotes ? section.replace('</h2>', '</h2>\n<p>pastedmessage</p>') : section;
    })
    .join('');

/** Adds the keywords of a page below its title, and those of its sections below theirs. */
export function withKeywords(html: string, page: string): string {
  const texts = page === 'errors.md' ? withMarks(html) : html;
  return texts.replace(/<h([1-3]) id="([^"]*)"[\s\S]*?<\/h\1>/g, (heading, level, id) => {
    const words = keywords[level === '1' ? page : `${page}#${id}`];
    return words === undefined ? heading : `${heading}\n<p>${words}</p>`;
  });
}
