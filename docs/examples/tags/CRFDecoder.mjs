// SPDX-License-Identifier: MIT
import { Input, ready, Sequential } from 'maskflow';
import { CRF, CRFDecoder } from 'maskflow/tags';

await ready();
const crf = new CRF();
const model = new Sequential([Input({ shape: [null, 2] }), crf]); // the scores of two tags
crf.setWeights([[[1, -1], [-1, 1]], [0, 0], [0, 0]]); // it prefers to keep the tag
const tagger = new Sequential([...model.layers, new CRFDecoder()]);
console.log(String(tagger.predict([[[2, 0], [0, 0.5], [1, 0]]])));
// → [[0 0 0]]
// → shape (1, 3), int32
