// SPDX-License-Identifier: MIT
// Words by which people look for a page, but which it does not contain. The search finds the top of
// the page by them.

export const keywords: { readonly [page: string]: string } = {
  'alternatives.md': 'GPU, WebGPU, WebGL, ONNX',
  'command.md': 'terminal, CLI, npx, check a model against Python',
  'errors.md': 'exception, troubleshooting, crash',
  'faq.md': 'license, help',
  'from-keras.md': 'Python, TensorFlow, differences, transfer learning',
  'guides/custom-layers.md': 'custom cell, subclass, own layer',
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
  'training.md':
    'fine-tuning, transfer learning, freeze layers, class weights, imbalanced classes, batch size, epochs, validation split, learning rate, NaN loss',
};
