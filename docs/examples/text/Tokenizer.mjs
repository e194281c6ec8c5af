// SPDX-License-Identifier: MIT
import { padSequences, ready } from 'maskflow';
import { Tokenizer } from 'maskflow/text';

await ready();
const tokenizer = new Tokenizer({ oovToken: '<OOV>' });
const reviews = ['the movie was good', "the movie wasn't good at all"];
tokenizer.fitOnTexts([...reviews, 'what a film, the best!']);
const ids = tokenizer.textsToSequences(["The movie wasn't bad"]);
console.log(JSON.stringify(ids)); // 1: the word is unknown
console.log(String(padSequences(ids, { maxlen: 6, padding: 'post' })));
// → [[2,3,6,1]]
// → [[2 3 6 1 0 0]]
// → shape (1, 6), int32
