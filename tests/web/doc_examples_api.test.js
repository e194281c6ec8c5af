// SPDX-License-Identifier: MIT
// The reference shows these programs with functions and methods; each prints what its end says.
import { ready } from '../../dist/train.js';
import { checkRoom } from '../support/doc_examples.js';

/** Functions and methods whose pages readers open most. */
const required = [
  ...[
    'Input',
    'Metric',
    'cloneModel',
    'initializers',
    'keep',
    'loadModel',
    'memory',
    'padSequences',
    'ready',
    'registerFunction',
    'registerLayer',
    'restart',
    'runtimeInfo',
    'serializeLayer',
    'tensor',
    'tidy',
    'toCategorical',
    'verify',
  ],
  ...['Layer', 'Model', 'Sequential'],
  ...[
    'apply',
    'compile',
    'evaluate',
    'fit',
    'predict',
    'save',
    'stream',
    'summary',
    'traceMasks',
  ].map((method) => `Model.${method}`),
];

checkRoom('api', required, () => ready({ seed: 1, onMaskDropped: 'silent' }));
