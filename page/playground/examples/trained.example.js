// SPDX-License-Identifier: MIT
// A model that Keras trained and saved. Are all brackets closed?
import { loadModel, padSequences } from 'maskflow';

const model = await loadModel('models/brackets.keras');
console.log(model.summary({ print: null }));

const texts = ['([]{})', '([)]', '(((())))', '{'];
const ids = texts.map((text) => [...text].map((bracket) => ' ()[]{}'.indexOf(bracket)));
const answers = model.predict(padSequences(ids, { padding: 'post' })).array();
for (const [row, text] of texts.entries()) console.log(text.padEnd(9), answers[row][0].toFixed(4));
