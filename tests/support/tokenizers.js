// SPDX-License-Identifier: MIT
// Repeats recorded calls of Keras's Tokenizer.
import assert from 'node:assert/strict';

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** Returns the pairs of a flat JSON object, in the order of the text. */
function pairsOf(text) {
  const inOrder = text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/g);
  return [...inOrder].map(([, key, value]) => [JSON.parse(`"${key}"`), JSON.parse(value)]);
}

function configOf(config) {
  const { word_counts, word_index, index_word, word_docs, index_docs, ...settings } = config;
  return {
    ...settings,
    ordered: [word_counts, word_index].map(pairsOf),
    unordered: [word_docs, index_docs, index_word].map((text) => new Map(pairsOf(text))),
  };
}

function compareStep(tokenizer, { name, args, result, error }, { isClose, id }) {
  let value;
  try {
    value = tokenizer[camel(name)](...args) ?? null;
  } catch (problem) {
    assert.ok(error !== undefined, `${id} ${name}: ${problem.name}: ${problem.message}`);
    assert.match(problem.name, /^(State|Value)Error$/);
    return;
  }
  // Keras returns the id None, or looks it up, for an oovToken without an id.
  assert.ok(error === undefined, `${id} ${name} must throw as Keras: ${error}`);
  if (!/matrix/.test(name)) return assert.deepEqual(value, result, `${id} ${name}`);
  const rows = value.array();
  assert.equal(rows.length, result.length);
  for (const [i, row] of rows.entries()) assert.ok(isClose(row, result[i]), `${id} ${name} ${i}`);
}

const isClose = (row, expected) =>
  row.length === expected.length && row.every((x, i) => Math.fround(expected[i]) === x);

/** Returns null if the Tokenizer does what Keras's did in a recorded case, else the difference. */
export async function tokenizerDifference({ Tokenizer, readPickle }, recorded) {
  const { id, config, steps, json, pickle } = recorded;
  try {
    let tokenizer = new Tokenizer(config);
    for (const step of steps) {
      // Keras returns None in place of the id.
      if (step.result?.some?.((row) => row?.includes?.(null))) {
        assert.throws(() => tokenizer[camel(step.name)](...step.args), /has no id yet/);
      } else if (step.name === 'json') tokenizer = Tokenizer.fromJSON(JSON.stringify(tokenizer));
      else compareStep(tokenizer, step, { isClose, id });
    }
    const expected = configOf(JSON.parse(json).config);
    assert.deepEqual(configOf(tokenizer.getConfig()), expected, `${id} toJSON`);
    assert.deepEqual(configOf(Tokenizer.fromJSON(json).getConfig()), expected, `${id} fromJSON`);
    if (readPickle) {
      const read = await readPickle(Buffer.from(pickle, 'base64'));
      assert.ok(read instanceof Tokenizer, `${id} pickle`);
      assert.deepEqual(configOf(read.getConfig()), expected, `${id} readPickle`);
    }
    return null;
  } catch (error) {
    return `${error.message.slice(0, 1500)}`;
  }
}
